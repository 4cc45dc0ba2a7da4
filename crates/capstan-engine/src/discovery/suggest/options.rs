//! Optional inputs that the words of a part say: `closed issues` is `state: closed`, `as not planned` is
//! `reason: not_planned`, `assigned to @kim` is `assignee: kim`.
//!
//! A word says an option only where it can say nothing else: an adjective directly before what is listed, what
//! follows `as` or the name of the input, a login behind words that tell what it is. Other words stay unread.

use serde_json::Value;

use capstan_core::card::{Card, Operation};

use super::cover::{is_noun, nouns};
use super::fill::required;
use super::quotes::{bare, outside_quotes, plain, quoted};
use capstan_exec::reference::as_written;

/// An optional input, and the words that say it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SaidOption {
    pub(super) field: String,
    pub(super) value: Value,
    /// Their places among the words of the part that are not quoted.
    pub(super) words: Vec<usize>,
}

/// The optional inputs of a capability that a part says, each at most once.
pub(super) fn options(card: &Card, part: &str) -> Vec<SaidOption> {
    let words: Vec<&str> = outside_quotes(part);
    let reader = OptionReader {
        card,
        plain: words.iter().map(|word| plain(word)).collect(),
        words,
        part,
    };
    let properties = card.input_schema["properties"].as_object();
    let properties = properties.into_iter().flatten();
    let optional =
        properties.filter(|(field, _)| !required(&card.input_schema).any(|it| it == *field));
    let said = optional.filter_map(|(field, schema)| reader.option(field, schema));
    said.collect()
}

struct OptionReader<'a> {
    card: &'a Card,
    words: Vec<&'a str>,
    plain: Vec<String>,
    part: &'a str,
}

impl OptionReader<'_> {
    fn option(&self, field: &str, schema: &Value) -> Option<SaidOption> {
        let found = if let Some(values) = schema["enum"].as_array() {
            self.choice(field, values)
        } else if schema["type"] == "boolean" {
            self.flag(field)
        } else if self.looks() && ["assignee", "author"].contains(&field) {
            self.login(field).or_else(|| self.text(field, schema))
        } else {
            self.text(field, schema)
        };
        found.map(|(value, words)| SaidOption {
            field: field.to_owned(),
            value,
            words,
        })
    }

    /// The one value of a choice that is said; `all` beside another value only stresses it.
    fn choice(&self, field: &str, values: &[Value]) -> Option<(Value, Vec<usize>)> {
        let said = values.iter().filter_map(|value| {
            let words = self.said(field, value.as_str()?)?;
            Some((value.clone(), words))
        });
        let mut said: Vec<_> = said.collect();
        if said.len() > 1 {
            said.retain(|(value, _)| value != "all");
        }
        let only = said.pop()?;
        said.is_empty().then_some(only)
    }

    fn said(&self, field: &str, value: &str) -> Option<Vec<usize>> {
        let value: Vec<&str> = value.split(['_', '-']).collect();
        let last = self.plain.len().checked_sub(value.len())?;
        (0..=last).find_map(|start| {
            let end = start + value.len();
            let is_it = self.plain[start..end].iter().eq(value.iter());
            let led_in = is_it.then(|| self.led_in(field, start))?;
            if let Some(from) = led_in {
                return Some((from..end).collect());
            }
            (self.looks() && self.describes(start, end)).then(|| (start..end).collect())
        })
    }

    /// Where `as`, or the name of the input, stands before a word; for what is looked at also `that are`.
    fn led_in(&self, field: &str, place: usize) -> Option<usize> {
        let before = |back: usize| place.checked_sub(back).map(|at| self.plain[at].as_str());
        match (before(2), before(1)?) {
            (_, word) if word == field => Some(place - 1),
            (_, "as") if !self.looks() => Some(place - 1),
            (Some("that" | "which"), "are" | "is") if self.looks() => Some(place - 2),
            _ => None,
        }
    }

    /// Whether words stand directly before the name of what is looked at, or before what else describes it.
    fn describes(&self, start: usize, end: usize) -> bool {
        let before = start.checked_sub(1).map(|at| self.plain[at].as_str());
        let is_negated = before.is_some_and(|it| NEGATING.contains(&it));
        let is_thing = |word: &String| nouns(self.card).iter().any(|noun| is_noun(word, noun));
        let is_the = |word: &&String| ["the", "my", "our"].contains(&word.as_str());
        let mut behind = self.plain[end..].iter().skip_while(is_the);
        let (next, second) = (behind.next(), behind.next());
        let is_some = |word: Option<&String>| word.is_some_and(is_thing);
        let is_all = self.plain[start..end] == ["all"];
        let leads_to_thing = is_some(next) || (is_all && is_some(second));
        // `closed issues`, `draft pull requests`; `the closed issue 3` is one that happens to be closed.
        let is_plural = [next, second]
            .iter()
            .any(|word| word.is_some_and(|it| it.ends_with('s')));
        !is_negated && leads_to_thing && (is_plural || !self.looks())
    }

    /// `a draft pull request`
    fn flag(&self, field: &str) -> Option<(Value, Vec<usize>)> {
        let creates = self.card.id.as_str().ends_with(".create");
        let place = self.plain.iter().position(|word| word == field)?;
        let is_said = (creates || self.looks()) && self.describes(place, place + 1);
        is_said.then(|| (true.into(), vec![place]))
    }

    /// `assigned to @kim`, `opened by @kim`
    fn login(&self, field: &str) -> Option<(Value, Vec<usize>)> {
        let is_login = |word: &&str| bare(word).starts_with('@');
        let place = self.words.iter().position(is_login)?;
        let before: Vec<&str> = self.plain[..place].iter().map(String::as_str).collect();
        let length = match (field, before.as_slice()) {
            ("assignee", [.., "assigned", "to"]) => 2,
            ("author", [.., "authored" | "created" | "opened" | "written", "by"]) => 2,
            ("author", [.., thing, "by"]) if self.is_thing(thing) => 1,
            (field, [.., last]) if *last == field => 1,
            _ => return None,
        };
        let login = bare(self.words[place]).trim_start_matches('@');
        let is_negated = place
            .checked_sub(length + 1)
            .is_some_and(|at| NEGATING.contains(&self.plain[at].as_str()));
        (!is_negated).then(|| (login.into(), (place - length..=place).collect()))
    }

    /// `with the label "bug"`
    fn text(&self, field: &str, schema: &Value) -> Option<(Value, Vec<usize>)> {
        if schema["type"] != "string" {
            return None;
        }
        let mut said = quoted(self.part)
            .into_iter()
            .filter(|it| it.before == field);
        let (only, None) = (said.next()?, said.next()) else {
            return None;
        };
        let name = self.plain.iter().position(|word| word == field)?;
        let is_negated = name
            .checked_sub(1)
            .is_some_and(|at| NEGATING.contains(&self.plain[at].as_str()));
        (!is_negated).then(|| (as_written(&only.text.as_str().into()), vec![name]))
    }

    fn is_thing(&self, word: &str) -> bool {
        nouns(self.card).iter().any(|noun| is_noun(word, noun))
    }

    fn looks(&self) -> bool {
        self.card.operation == Operation::Read
    }
}

/// They turn what follows into its opposite.
const NEGATING: [&str; 8] = [
    "but", "except", "never", "no", "non", "not", "un", "without",
];
