//! Finds optional inputs that a clause mentions: `closed issues` is `state: closed`, `as not planned` is
//! `reason: not_planned`, `assigned to @kim` is `assignee: kim`.
//!
//! A word sets an option only where it can mean nothing else: an adjective directly before what is listed, a
//! word after `as` or after the name of the input, a login after words that tell its role. Other words remain
//! unread.

use serde_json::Value;

use capstan_core::card::{Card, Operation};

use super::coverage::{is_noun, nouns};
use super::fill::required_fields;
use super::quotes::{normalized, quoted_texts, trimmed, unquoted_words};
use capstan_exec::reference::as_written;

/// An optional input, and the words that mention it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MentionedOption {
    pub(super) field: String,
    pub(super) value: Value,
    /// Their indices among the words of the clause outside quotes.
    pub(super) words: Vec<usize>,
}

/// Returns the optional inputs of a capability that a clause mentions, each at most once.
pub(super) fn mentioned_options(card: &Card, clause: &str) -> Vec<MentionedOption> {
    let words: Vec<&str> = unquoted_words(clause);
    let reader = OptionReader {
        card,
        normalized: words.iter().map(|word| normalized(word)).collect(),
        words,
        clause,
    };
    let properties = card.input_schema["properties"].as_object();
    let properties = properties.into_iter().flatten();
    let optional =
        properties.filter(|(field, _)| !required_fields(&card.input_schema).any(|it| it == *field));
    let mentioned = optional.filter_map(|(field, schema)| reader.option(field, schema));
    mentioned.collect()
}

struct OptionReader<'a> {
    card: &'a Card,
    words: Vec<&'a str>,
    normalized: Vec<String>,
    clause: &'a str,
}

impl OptionReader<'_> {
    fn option(&self, field: &str, schema: &Value) -> Option<MentionedOption> {
        let found = if let Some(values) = schema["enum"].as_array() {
            self.choice(field, values)
        } else if schema["type"] == "boolean" {
            self.flag(field)
        } else if self.is_read() && ["assignee", "author"].contains(&field) {
            self.login(field).or_else(|| self.text(field, schema))
        } else {
            self.text(field, schema)
        };
        found.map(|(value, words)| MentionedOption {
            field: field.to_owned(),
            value,
            words,
        })
    }

    /// Returns the only value of an enum that is mentioned. `all` beside another value only emphasizes it.
    fn choice(&self, field: &str, values: &[Value]) -> Option<(Value, Vec<usize>)> {
        let mentioned = values.iter().filter_map(|value| {
            let words = self.words_for_value(field, value.as_str()?)?;
            Some((value.clone(), words))
        });
        let mut mentioned: Vec<_> = mentioned.collect();
        if mentioned.len() > 1 {
            mentioned.retain(|(value, _)| value != "all");
        }
        let only = mentioned.pop()?;
        mentioned.is_empty().then_some(only)
    }

    fn words_for_value(&self, field: &str, value: &str) -> Option<Vec<usize>> {
        let value: Vec<&str> = value.split(['_', '-']).collect();
        let last = self.normalized.len().checked_sub(value.len())?;
        (0..=last).find_map(|start| {
            let end = start + value.len();
            let is_it = self.normalized[start..end].iter().eq(value.iter());
            let introduction_start = is_it.then(|| self.introduction_start(field, start))?;
            if let Some(from) = introduction_start {
                return Some((from..end).collect());
            }
            (self.is_read() && self.describes(start, end)).then(|| (start..end).collect())
        })
    }

    /// Returns the index at which a value is introduced: by `as`, by the name of the input, or for reads by
    /// `that are`.
    fn introduction_start(&self, field: &str, index: usize) -> Option<usize> {
        let before = |back: usize| {
            index
                .checked_sub(back)
                .map(|at| self.normalized[at].as_str())
        };
        match (before(2), before(1)?) {
            (_, word) if word == field => Some(index - 1),
            (_, "as") if !self.is_read() => Some(index - 1),
            (Some("that" | "which"), "are" | "is") if self.is_read() => Some(index - 2),
            _ => None,
        }
    }

    /// Returns whether words come directly before the noun that is read, or before another word that
    /// describes it.
    fn describes(&self, start: usize, end: usize) -> bool {
        let before = start.checked_sub(1).map(|at| self.normalized[at].as_str());
        let is_negated = before.is_some_and(|it| NEGATING_WORDS.contains(&it));
        let names_subject = |word: &String| nouns(self.card).iter().any(|noun| is_noun(word, noun));
        let is_determiner = |word: &&String| ["the", "my", "our"].contains(&word.as_str());
        let mut behind = self.normalized[end..].iter().skip_while(is_determiner);
        let (next, second) = (behind.next(), behind.next());
        let names_subject_at = |word: Option<&String>| word.is_some_and(names_subject);
        let is_all = self.normalized[start..end] == ["all"];
        let leads_to_thing = names_subject_at(next) || (is_all && names_subject_at(second));
        // `closed issues` and `draft pull requests` filter; `the closed issue 3` only describes one object.
        let is_plural = [next, second]
            .iter()
            .any(|word| word.is_some_and(|it| it.ends_with('s')));
        !is_negated && leads_to_thing && (is_plural || !self.is_read())
    }

    /// Matches a flag: `a draft pull request`.
    fn flag(&self, field: &str) -> Option<(Value, Vec<usize>)> {
        let creates = self.card.id.as_str().ends_with(".create");
        let index = self.normalized.iter().position(|word| word == field)?;
        let is_said = (creates || self.is_read()) && self.describes(index, index + 1);
        is_said.then(|| (true.into(), vec![index]))
    }

    /// Matches a login: `assigned to @kim`, `opened by @kim`.
    fn login(&self, field: &str) -> Option<(Value, Vec<usize>)> {
        let is_login = |word: &&str| trimmed(word).starts_with('@');
        let index = self.words.iter().position(is_login)?;
        let before: Vec<&str> = self.normalized[..index]
            .iter()
            .map(String::as_str)
            .collect();
        let length = match (field, before.as_slice()) {
            ("assignee", [.., "assigned", "to"]) => 2,
            ("author", [.., "authored" | "created" | "opened" | "written", "by"]) => 2,
            ("author", [.., thing, "by"]) if self.names_subject(thing) => 1,
            (field, [.., last]) if *last == field => 1,
            _ => return None,
        };
        let login = trimmed(self.words[index]).trim_start_matches('@');
        let is_negated = index
            .checked_sub(length + 1)
            .is_some_and(|at| NEGATING_WORDS.contains(&self.normalized[at].as_str()));
        (!is_negated).then(|| (login.into(), (index - length..=index).collect()))
    }

    /// Matches a quoted text: `with the label "bug"`.
    fn text(&self, field: &str, schema: &Value) -> Option<(Value, Vec<usize>)> {
        if schema["type"] != "string" {
            return None;
        }
        let mut mentioned = quoted_texts(self.clause)
            .into_iter()
            .filter(|it| it.before == field);
        let (only, None) = (mentioned.next()?, mentioned.next()) else {
            return None;
        };
        let name = self.normalized.iter().position(|word| word == field)?;
        let is_negated = name
            .checked_sub(1)
            .is_some_and(|at| NEGATING_WORDS.contains(&self.normalized[at].as_str()));
        (!is_negated).then(|| (as_written(&only.text.as_str().into()), vec![name]))
    }

    fn names_subject(&self, word: &str) -> bool {
        nouns(self.card).iter().any(|noun| is_noun(word, noun))
    }

    fn is_read(&self) -> bool {
        self.card.operation == Operation::Read
    }
}

/// Words that negate what follows.
const NEGATING_WORDS: [&str; 8] = [
    "but", "except", "never", "no", "non", "not", "un", "without",
];
