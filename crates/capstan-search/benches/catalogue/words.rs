//! Words, and reproducible random texts made of them.

use capstan_search::Document;

const VERBS: &str = "add approve archive assign attach cancel check clone close comment compare \
    convert copy count create delete deploy describe disable download edit enable estimate export \
    fetch filter find fork generate get import inspect invite label link list lock mark measure \
    merge move notify open parse pause pin plan preview publish query read rebase rename render \
    reopen replace request resolve restart restore resume retry review revoke roll run save \
    schedule search send set share show sign sort split start stop submit subscribe summarize \
    sync tag test transfer translate trigger unassign unlock update upload validate verify view \
    watch";
const THINGS: &str = "account address album alert alias answer article artifact asset backup \
    balance bill board booking branch budget bucket build calendar campaign card cart case channel \
    chart check city clause cluster code comment commit company contact container contract country \
    coupon course customer dashboard database dataset date deployment device discussion disk \
    document domain driver email employee endpoint environment error estimate event exam exchange \
    expense factor feed field file filter flight folder forecast form function game gateway graph \
    group guest history holiday host hotel house image incident index ingredient insight invoice \
    issue item job journal key keyword label lake language layer lead lesson letter library license \
    line link list location lock log machine mail map market meal measure member message meter \
    metric milestone model module movie network news note notification offer office order \
    organization outage package page parcel part partner password path patient payment permission \
    person phone photo pipeline place plan plant playlist player policy poll post price printer \
    product profile project property provider pull quality query queue question quote rate recipe \
    record region release reminder repository report request reservation review ring road role \
    room route rule run sample satellite schedule schema score season secret seat sensor server \
    service session shipment shop signal site skill snapshot song source stage station status \
    stock store stream student subject subscription summary survey switch table tag target task \
    tax team template tenant test text theme thread ticket time token tool topic track trade train \
    transaction transcript translation traveler treatment trip tunnel unit user vacancy value \
    vehicle vendor version video view visit volume voucher wallet warehouse weather webhook window \
    word workflow zone";
const QUALITIES: &str = "active annual assigned available blocked broken cached cheap closed common \
    complete current daily default deleted detailed digital draft early empty expired external \
    failed fast favorite final finished flagged free full general hidden hourly internal large \
    last late latest linked local locked long main manual missing monthly multiple nearby nested \
    new next old open original overdue paid partial past pending personal popular possible previous \
    primary private public random rare recent related remote repeated running safe scheduled \
    secure selected shared short similar single small special stale starred static stopped strong \
    total trusted unread upcoming urgent useful valid verified visible weekly whole yearly";
const SYLLABLES: &str = "ba ber can cor da del di dor el en fa fin ga gen ha hel in jo ka kel la \
    lin lo ma mar mi mon na nel ni nor o pa per pi por ra ren ri ron sa sel si sol ta tel ti tor \
    u va ven vi vor wa wel xi yo za zen";

pub(super) struct Words {
    pub(super) random: fastrand::Rng,
    verbs: Vec<&'static str>,
    things: Vec<&'static str>,
    qualities: Vec<&'static str>,
    syllables: Vec<&'static str>,
}

impl Words {
    pub(super) fn new() -> Self {
        let list = |text: &'static str| text.split_whitespace().collect();
        Self {
            random: fastrand::Rng::with_seed(1),
            verbs: list(VERBS),
            things: list(THINGS),
            qualities: list(QUALITIES),
            syllables: list(SYLLABLES),
        }
    }

    pub(super) fn one(&mut self, of: fn(&Self) -> &Vec<&'static str>) -> &'static str {
        let at = self.random.usize(..of(self).len());
        of(self)[at]
    }

    /// Returns a name for a product, a place or a person: one of about 60,000.
    pub(super) fn name(&mut self) -> String {
        let count = self.random.usize(2..4);
        (0..count).map(|_| self.one(|it| &it.syllables)).collect()
    }

    pub(super) fn document(&mut self, service: &str) -> Document {
        let (verb, thing) = (self.one(|it| &it.verbs), self.one(|it| &it.things));
        let mut description = vec![verb.to_owned(), "the".to_owned()];
        for _ in 0..self.random.usize(2..7) {
            description.push(self.one(|it| &it.qualities).to_owned());
            description.push(self.one(|it| &it.things).to_owned());
            description.push(["of", "for", "with", "in"][self.random.usize(..4)].to_owned());
        }
        description.push(self.name());
        let parameters = (0..self.random.usize(1..5)).map(|_| {
            let (thing, what) = (self.one(|it| &it.things), self.one(|it| &it.qualities));
            format!("{thing}_id: the {what} {thing}")
        });
        Document {
            id: format!("{service}.{thing}.{verb}"),
            parameters: parameters.collect(),
            description: description.join(" "),
            ..Document::default()
        }
    }

    pub(super) fn query(&mut self, number: usize) -> String {
        let mut words = vec!["please".to_owned(), self.one(|it| &it.verbs).to_owned()];
        for _ in 0..self.random.usize(1..6) {
            words.push(self.one(|it| &it.qualities).to_owned());
            words.push(self.one(|it| &it.things).to_owned());
        }
        if number.is_multiple_of(6)
            && let Some(word) = words.last_mut()
        {
            let at = self.random.usize(..word.len() - 1);
            let (first, rest) = word.split_at(at);
            let mut rest: Vec<char> = rest.chars().collect();
            rest.swap(0, 1);
            *word = format!("{first}{}", rest.into_iter().collect::<String>());
        }
        if number.is_multiple_of(4) {
            words.push(self.name());
        }
        if number.is_multiple_of(8) {
            let also = (self.one(|it| &it.verbs), self.one(|it| &it.qualities));
            let thing = self.one(|it| &it.things);
            words.push(format!("and then {} the {} {thing}", also.0, also.1));
        }
        words.join(" ")
    }
}
