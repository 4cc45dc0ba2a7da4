//! The capabilities that an intent needs: the best for each thing to do, and what gives them their inputs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use capstan_core::card::{Card, Operation};

use super::clauses::{Clause, Joint, clauses, unread_joints};
use super::cover::is_asked;
use super::negation::{Negation, Reach, cut_negation, is_remark, negation};
use super::quotes::plain;
use super::said::{Said, without_values};
use super::talk::{Domains, Talk, TraceSubject};
use super::words::{Doing, condition, is_several};
use crate::discovery::Discovery;
use crate::discovery::find::{Asked, Hit, Wanted};

/// A capability for an intent, or for a part of it.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) hit: Hit,
    /// For one thing to do: how likely it is what was meant. For several: how near it comes to the best for
    /// its part.
    pub(super) relevance: f64,
    /// It is there because it gives another its input.
    pub(super) gives: bool,
    /// The part of the intent that it was found for; the whole, if it was found for all of it.
    pub(super) part: String,
}

/// What was found for an intent.
#[derive(Default)]
pub(super) struct Gathered {
    /// The best first.
    pub(super) candidates: Vec<Candidate>,
    /// What is to be run, in the order of the intent.
    pub(super) steps: Vec<GatheredStep>,
    /// What the parts say that ask for nothing.
    pub(super) aside: Said,
    /// The same, as it was said.
    pub(super) asides: Vec<String>,
    /// What stands between the parts and says more than their order.
    pub(super) joints: Vec<String>,
    /// Why the steps may not be all that was asked for, or more.
    pub(super) doubt: Option<Doubt>,
    /// What is not to be done, as it was said.
    pub(super) negated: Vec<String>,
    /// Of that, what was said before the first step: "it" may mean what it names.
    negated_first: Vec<String>,
    pub(super) warnings: Vec<String>,
}

/// Why steps that are right may still not be run without a look at them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It depends on something: a plan runs whatever it finds.
    Condition(String),
    /// Something is not to be done, in these words.
    Negated(Vec<String>),
    /// A part of the intent has no step.
    NotCovered(String),
    /// It asks whether something is so, and the plan would change it.
    Question,
    /// These words were not read: no step does what they say.
    Unread(Vec<String>),
}

/// So many words are named; how many more there are is counted.
const MOST_NAMED: usize = 8;

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Condition(word) => write!(
                f,
                "it runs all steps whatever they find, and the intent says `{word}`"
            ),
            Self::Negated(words) => {
                let words: Vec<_> = words.iter().map(|it| format!("`{it}`")).collect();
                write!(
                    f,
                    "the intent says what not to do ({}), which no step can keep to: say only what to do, send \
                     the steps, or quote words that are a text",
                    words.join(", ")
                )
            }
            Self::NotCovered(part) => write!(f, "it has no step for `{part}`"),
            Self::Question => f.write_str("the intent is a question, and it writes"),
            Self::Unread(words) => {
                let named = words.iter().take(MOST_NAMED);
                let named: Vec<_> = named.map(|it| format!("`{it}`")).collect();
                write!(f, "nothing in it stands for {}", named.join(", "))?;
                match words.len().saturating_sub(MOST_NAMED) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
        }
    }
}

/// What is to be run for a part of an intent.
pub(super) struct GatheredStep {
    pub(super) id: String,
    /// How likely it is what was meant.
    pub(super) sure: f64,
    /// That part, as it was said.
    pub(super) text: String,
    /// The values in it.
    pub(super) said: Said,
    /// When it is run. Of those with the same turn nobody said which is first.
    pub(super) turn: usize,
    pub(super) writes: bool,
    /// It may be run for several things, which somebody has to find first.
    pub(super) is_of_several: bool,
}

/// A part that says nothing to do tells about the others.
const TELLS_NOTHING_TO_DO: f64 = 0.5;
/// What a part has little to do with is not suggested for it.
const LEAST: f64 = 0.004;
/// Of one part so many are candidates.
const OF_ONE_PART: usize = 4;
/// What fits the whole is behind what fits a part.
const WHOLE: f64 = 0.3;

/// Nobody asks for more in one breath; what comes later is left out, and said to be.
const MOST_PARTS: usize = 8;

/// How much nearly is.
const GIVER: f64 = 0.97;

impl Discovery {
    pub(super) async fn gather(&self, intent: &str) -> Gathered {
        let mut parts = clauses(intent);
        let left_out = parts.split_off(parts.len().min(MOST_PARTS));
        let (domains, host) = (self.domains(), &self.shared.settings.host);
        let abouts = abouts(&domains, &parts);
        let mut texts = vec![asked(intent, intent)];
        if parts.len() > 1 {
            let of_parts = parts.iter().zip(&abouts);
            texts.extend(
                of_parts.map(|(part, about)| asked(&about.said_fully(&part.text), &part.text)),
            );
        }
        let (found, warnings) = self.search_each(&texts, &Wanted::default()).await;
        let mut found = found.into_iter();
        let hits = found.next().unwrap_or_default();
        let described = hits.first().filter(|hit| says_the_same(intent, hit));
        let mut gathered = match (parts.as_slice(), described) {
            ([], _) | ([_], _) | (_, Some(_)) => {
                let whole = Clause {
                    text: intent.to_owned(),
                    ..parts.first().cloned().unwrap_or_default()
                };
                let about = abouts.first().cloned().unwrap_or_default();
                of_one(host, &whole, &about, hits)
            }
            (parts, None) => Gathered {
                joints: unread_joints(intent),
                ..of_several(host, parts.iter().zip(&abouts).zip(found), hits)
            },
        };
        // Parts that are left out may still say what is not to be done.
        let said_later = left_out
            .iter()
            .filter(|part| negation(&part.text, 0).is_some());
        gathered
            .negated
            .extend(said_later.map(|part| part.text.clone()));
        let all_left_out = left_out.iter().map(|part| part.text.clone());
        gathered.asides.extend(all_left_out);
        let left_out = left_out.into_iter().next();
        let left_out = left_out.map(|part| Doubt::NotCovered(part.text));
        gathered.doubt = if gathered.negated.is_empty() {
            gathered.doubt.or(left_out)
        } else {
            Some(Doubt::Negated(gathered.negated.clone()))
        };
        gathered.warnings = warnings;
        gathered
    }
}

/// Whether an intent is the description of what was found, word by word: then nothing of it is misread, also if
/// it tells what the capability does not do.
fn says_the_same(intent: &str, hit: &Hit) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split_whitespace().map(plain);
        words.filter(|word| !word.is_empty()).collect()
    };
    let said = words(intent);
    said.len() > 1 && said == words(&hit.description)
}

/// What each part is about, by what was spoken of before it.
fn abouts<'a>(domains: &'a Domains, parts: &[Clause]) -> Vec<TraceSubject<'a>> {
    let mut talk = Talk::new(domains, parts);
    let mut was_looking = false;
    let about = parts.iter().map(|part| {
        let mut about = talk.about(&part.words);
        // "check the tests and the open threads": one verb for both.
        if about.doing.is_none() && was_looking && part.goes_on {
            about.doing = Some(Doing::Looking);
        }
        was_looking = about.doing == Some(Doing::Looking);
        about
    });
    about.collect()
}

/// For one thing to do.
fn of_one(host: &str, whole: &Clause, about: &TraceSubject<'_>, hits: Vec<Hit>) -> Gathered {
    let intent = &whole.text;
    let hits = readable(intent, about.by_likelihood(hits));
    let best = asked_best_of(intent, &hits);
    let is_described = hits
        .first()
        .is_some_and(|(_, hit)| says_the_same(intent, hit));
    let negated = match (best, negation(intent, 0)) {
        (Some((_, hit)), Some(it)) => it.applies_to(hit) && !is_described,
        (None, Some(it)) => it.is_firm(),
        (_, None) => false,
    };
    let step = best
        .filter(|_| !negated)
        .map(|(likely, best)| GatheredStep {
            id: best.id.clone(),
            sure: *likely,
            text: intent.clone(),
            said: Said::of(intent, host),
            turn: 0,
            writes: best.operation == Operation::Write,
            is_of_several: is_several(&whole.words),
        });
    let candidates = hits.into_iter().map(|(likely, hit)| Candidate {
        relevance: likely,
        ..candidate(hit, intent)
    });
    Gathered {
        steps: step.into_iter().collect(),
        candidates: candidates.collect(),
        doubt: doubt(whole, true),
        negated: negated.then(|| intent.clone()).into_iter().collect(),
        ..Gathered::default()
    }
}

/// Whoever describes what they look at by what it is not wants to look: what writes is left out, if anything reads.
fn readable(text: &str, hits: Vec<(f64, Hit)>) -> Vec<(f64, Hit)> {
    let reads = |(_, hit): &(f64, Hit)| hit.operation == Operation::Read;
    let describes = negation(text, 0).is_some_and(|it| it.describes());
    if describes && hits.iter().any(reads) {
        hits.into_iter().filter(reads).collect()
    } else {
        hits
    }
}

/// The one that is run: the likeliest, if it can be relied on.
fn best_of(hits: &[(f64, Hit)]) -> Option<&(f64, Hit)> {
    let worth = |(likely, hit): &(f64, Hit)| likely * hit.reliability.unwrap_or(1.0);
    let mut all = hits.iter();
    let first = all.next()?;
    Some(
        all.fold(first, |best, other| match worth(other) > worth(best) {
            true => other,
            false => best,
        }),
    )
}

/// The one that is run for a part: whoever asks whether something is so wants to look, if anything looks.
fn asked_best_of<'a>(text: &str, hits: &'a [(f64, Hit)]) -> Option<&'a (f64, Hit)> {
    let best = best_of(hits)?;
    if best.1.operation == Operation::Read || !is_asked(text) {
        return Some(best);
    }
    let reads = |(sure, hit): &&(f64, Hit)| hit.operation == Operation::Read && *sure >= LEAST;
    hits.iter().find(reads).or(Some(best))
}

/// For several, each with what was found for it, and what was found for the whole.
fn of_several<'a>(
    host: &str,
    parts: impl Iterator<Item = ((&'a Clause, &'a TraceSubject<'a>), Vec<Hit>)>,
    of_whole: Vec<Hit>,
) -> Gathered {
    let mut gathered = Gathered::default();
    let mut aside = Vec::new();
    let mut offered: BTreeMap<String, Candidate> = BTreeMap::new();
    let mut negations = Negations::default();
    for ((part, about), hits) in parts {
        let hits = readable(&part.text, about.by_likelihood(hits));
        let best = asked_best_of(&part.text, &hits).filter(|(sure, _)| *sure >= LEAST);
        let is_negated = negations.take(part, best.map(|(_, hit)| hit), host);
        let has_step = about.doing.is_some() && !is_negated && !is_remark(&part.text);
        if negations.retracts_last {
            gathered.steps.pop();
        }
        gathered.doubt = gathered.doubt.or(doubt(part, has_step));
        if is_negated && gathered.steps.is_empty() {
            gathered.negated_first.push(part.text.clone());
        }
        // What is negated says nothing about the steps that stay.
        if (!has_step || best.is_none()) && !is_negated {
            aside.push(part.text.as_str());
        }
        let Some((sure, best)) = best else {
            continue;
        };
        // Of the likeliest, which may be another than the one that is run.
        let top = hits.first().map_or(*sure, |(likely, _)| *likely);
        let weight = if has_step {
            gathered.steps.push(GatheredStep {
                id: best.id.clone(),
                sure: *sure,
                text: part.text.clone(),
                said: Said::of(&part.text, host),
                turn: part.turn,
                writes: best.operation == Operation::Write,
                is_of_several: true,
            });
            1.0
        } else {
            TELLS_NOTHING_TO_DO
        };
        if negations.retract {
            gathered.steps.clear();
        }
        for (likely, hit) in hits.into_iter().take(OF_ONE_PART) {
            offer(&mut offered, hit, weight * likely / top, &part.text);
        }
    }
    let is_planned = |step: &GatheredStep| !negations.forbids(step);
    gathered.steps.retain(is_planned);
    gathered.negated = negations.said;
    let others = of_whole.into_iter();
    let others = others.filter(|hit| !offered.contains_key(&hit.id));
    let others: Vec<_> = others
        .map(|hit| Candidate {
            relevance: WHOLE * hit.score,
            // Of several parts nobody says which one it would be for.
            ..candidate(hit, "")
        })
        .collect();
    gathered.aside = Said::of(&aside.join(". "), host);
    gathered.asides = aside.into_iter().map(str::to_owned).collect();
    gathered.candidates = offered.into_values().chain(others).collect();
    gathered
        .candidates
        .sort_by(|one, two| two.relevance.total_cmp(&one.relevance));
    gathered
}

/// What the parts of an intent say not to do.
#[derive(Default)]
struct Negations {
    /// As it was said.
    said: Vec<String>,
    /// Capabilities that are negated without a number of their own: "do not merge it".
    forbidden: BTreeSet<String>,
    /// How far the last negation goes.
    reach: Option<Reach>,
    /// The last part takes back everything before it: "close issue 3. No, don't!"
    retract: bool,
    /// The last part is a judgement on the one before it: "merge pr 7 is not allowed".
    retracts_last: bool,
    /// States that something is to stay in, with what is said of which one.
    kept: Vec<(Negation, Said)>,
}

impl Negations {
    /// Takes the next part, with what fits it best. Says whether it is negated.
    fn take(&mut self, part: &Clause, best: Option<&Hit>, host: &str) -> bool {
        let own = match part.joint {
            Joint::Negation => cut_negation(&part.text),
            _ => negation(&part.text, 0),
        };
        let own = own.filter(|it| best.map_or(it.is_firm(), |hit| it.applies_to(hit)));
        let goes_on = match (self.reach, part.joint) {
            (None | Some(Reach::Part), _) | (_, Joint::Start | Joint::Contrast) => false,
            (Some(Reach::Conjunction), joint) => joint == Joint::Conjunction,
            (Some(Reach::Sentence), _) => true,
        };
        self.retract = own.as_ref().is_some_and(|it| it.is_bare(&part.text));
        self.retracts_last = part.joint == Joint::Negation
            && own
                .as_ref()
                .is_some_and(|it| it.judges_what_stands_before(&part.text));
        match &own {
            Some(own) => self.reach = Some(own.reach),
            None if goes_on => {}
            None => self.reach = None,
        }
        let is_negated = own.is_some() || goes_on;
        if is_negated {
            self.said.push(part.text.clone());
            let said = Said::of(&part.text, host);
            let has_number = said.numbers() > 0;
            self.kept.extend(own.map(|own| (own, said)));
            let forbidden = best.filter(|_| !has_number).map(|hit| hit.id.clone());
            self.forbidden.extend(forbidden);
        }
        is_negated
    }

    /// Whether a step does what was negated elsewhere.
    fn forbids(&self, step: &GatheredStep) -> bool {
        let ends_it = |(negation, said): &(Negation, Said)| {
            negation.keeps_from(&step.id, step.writes) && said.may_be_about_the_same(&step.said)
        };
        self.forbidden.contains(&step.id) || self.kept.iter().any(ends_it)
    }
}

impl Gathered {
    /// What an intent says about its steps: "reopen it but not issue 4" says nothing about issue 4, while "do not
    /// merge pr 7, just approve it" says which one it is.
    pub(super) fn affirmed(&self, intent: &str) -> String {
        if self.negated.is_empty() {
            return intent.to_owned();
        }
        let first = self.negated_first.iter().map(String::as_str);
        let steps = self.steps.iter().map(|step| step.text.as_str());
        let asides = self.asides.iter().map(String::as_str);
        let said = first.chain(steps).chain(asides);
        said.collect::<Vec<_>>().join(". ")
    }

    /// What gives a step its input is nearly as good as the step.
    pub(super) fn offer_giver(&mut self, card: &Card, sure: f64) {
        let relevance = |it: &Candidate| it.relevance;
        let best = self.candidates.iter().map(relevance).fold(0.0, f64::max);
        let id = card.id.as_str();
        self.candidates
            .retain(|it| it.hit.id != id || it.relevance > GIVER * best);
        if self.candidates.iter().any(|it| it.hit.id == id) {
            return;
        }
        self.candidates.push(Candidate {
            hit: Hit {
                id: id.to_owned(),
                description: card.description.clone(),
                operation: card.operation,
                kind: card.kind(),
                fqdn: None,
                score: sure,
                why: None,
                reliability: None,
            },
            relevance: GIVER * best,
            gives: true,
            part: String::new(),
        });
    }
}

/// By what is to be done; which one it is to be done with finds nothing.
fn asked(text: &str, said: &str) -> Asked {
    let stripped = without_exclusions(&without_values(text));
    Asked {
        text: match stripped.is_empty() {
            true => text.to_owned(),
            false => stripped,
        },
        said: said.to_owned(),
    }
}

/// A text without what somebody does not want to see: `show issue 3 without comments` finds no comments.
fn without_exclusions(text: &str) -> String {
    let mut kept = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let is_thing = |next: &&str| !plain(next).ends_with("ing");
        if plain(word) != "without" || words.next_if(is_thing).is_none() {
            kept.push(word);
        }
    }
    kept.join(" ")
}

/// Whether a part is more, or less, than its step.
fn doubt(part: &Clause, has_step: bool) -> Option<Doubt> {
    if let Some(word) = condition(&part.words) {
        return Some(Doubt::Condition(word.to_owned()));
    }
    let rest = without_values(&part.text);
    let says_something = rest
        .split_whitespace()
        .filter(|word| word.len() > 3)
        .count()
        > 1;
    (!has_step && says_something).then(|| Doubt::NotCovered(part.text.clone()))
}

fn candidate(hit: Hit, part: &str) -> Candidate {
    Candidate {
        relevance: hit.score,
        hit,
        gives: false,
        part: part.to_owned(),
    }
}

/// Each capability once, by the part that it fits best.
fn offer(best: &mut BTreeMap<String, Candidate>, hit: Hit, relevance: f64, part: &str) {
    let known = best.get(&hit.id).map(|it| it.relevance);
    if known.is_none_or(|known| relevance > known) {
        let id = hit.id.clone();
        best.insert(
            id,
            Candidate {
                relevance,
                ..candidate(hit, part)
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use capstan_core::card::{Kind, Operation};

    use super::*;

    fn hit(id: &str, score: f64, reliability: f64) -> Hit {
        Hit {
            id: id.to_owned(),
            description: String::new(),
            operation: Operation::Read,
            kind: Kind::Code,
            fqdn: None,
            score,
            why: None,
            reliability: Some(reliability),
        }
    }

    /// What often fails is not run where something else is nearly as likely; nothing is more than relevant.
    #[test]
    fn what_can_be_relied_on_is_run() {
        let (domains, parts) = (
            Domains::new(),
            clauses("show the stock and count the crates"),
        );
        let abouts = abouts(&domains, &parts);
        let found = parts
            .iter()
            .map(|_| vec![hit("shaky", 0.9, 0.2), hit("sound", 0.6, 1.0)]);
        let gathered = of_several(
            "github.com",
            parts.iter().zip(&abouts).zip(found),
            Vec::new(),
        );
        let steps: Vec<_> = gathered.steps.iter().map(|it| &*it.id).collect();
        assert_eq!(steps, ["sound", "sound"]);
        let is_share = |it: &Candidate| (0.0..=1.0).contains(&it.relevance);
        assert!(gathered.candidates.iter().all(is_share));
    }
}
