//! Whether a step does all that a part of an intent says, and nothing else. Whoever looks at the plan is told
//! where it does not.
//!
//! What is not understood may change everything: `close issue 3 tomorrow`, `revert the merge`, `was pr 7
//! merged`. So nobody looks for words that forbid. A part has to be an order in so many words:
//!
//! > [please] VERB [the] THING VALUE [in OWNER/REPO] ["TEXT"]
//!
//! The verb stands first, is not bent, and is one that the step is called by; every other word is a name of
//! what it works on, a value that it uses, or one of a few that change nothing.

use capstan_core::card::{Card, Kind, Operation};
use serde_json::{Map, Value};

use super::quotes::{bare, outside_quotes, plain};
use super::said::Said;
use super::words::{Doing, done_by, is_led_in, names_of};

/// The step for a part of an intent.
pub(super) struct Covering<'a> {
    pub(super) said: &'a Said,
    pub(super) card: &'a Card,
    pub(super) input: &'a Map<String, Value>,
}

/// Whether an intent asks whether something is so, instead of asking for it.
pub(super) fn is_question(intent: &str) -> bool {
    let words = outside_quotes(intent);
    let is_asked = words.iter().any(|word| word.contains(['?', '？', '¿']));
    is_asked && without_politeness(&words).len() == words.len()
}

impl Covering<'_> {
    /// The first word of a part that is not an order for the step, as it was said.
    pub(super) fn uncovered(&self, part: &str) -> Option<String> {
        let words = outside_quotes(part);
        let words = without_politeness(&words);
        let (lead, order) = self.cut_lead(words);
        if self.card.kind() != Kind::Card && self.card.kind() != Kind::System {
            return self.unnamed(order, part);
        }
        let order_words = order;
        let mut order = order_words.iter();
        let verb = order.next().map(|word| plain(word)).unwrap_or_default();
        let nouns = nouns(self.card);
        let rest: Vec<_> = lead.iter().chain(order).copied().collect();
        let is_said = |noun: &String| {
            let mut names = names_of(noun);
            names.push(noun);
            let is_one = |word: &str| names.iter().any(|name| is_noun(word, name));
            rest.iter().any(|word| is_one(&plain(word)))
        };
        let is_order = match orders(self.card, &verb) {
            Order::No => false,
            Order::Whole => true,
            // `add` says nothing before it is said what.
            Order::With(noun) => is_said(&noun),
        };
        if !is_order {
            return Some(first_said(order_words, part));
        }
        let is_covered = |(place, word): (usize, &&str)| {
            let before = place.checked_sub(1).map(|at| plain(rest[at]));
            let plain = plain(word);
            HARMLESS.contains(&plain.as_str())
                || self.uses(word)
                || (plain == "request" && before.is_some_and(|it| it == "pull" || it == "merge"))
                || nouns.iter().any(|noun| is_noun(&plain, noun))
        };
        let mut left = rest.iter().enumerate().filter(|it| !is_covered(*it));
        let left = left.next().map(|(_, word)| (*word).to_owned());
        left.or_else(|| self.unused_quote())
    }

    /// The first word of a part that says to do something else than to look, where a step only looks.
    pub(super) fn unlooked(&self, part: &str) -> Option<String> {
        let words = outside_quotes(part);
        let words = without_politeness(&words);
        let (_, order) = self.cut_lead(words);
        let first = *order.first()?;
        let verb = plain(first);
        let nouns = nouns(self.card);
        let is_look = done_by(&verb) == Some(Doing::Looking)
            || orders(self.card, &verb) != Order::No
            || HARMLESS.contains(&verb.as_str())
            || is_led_in(&verb)
            || nouns.iter().any(|noun| is_noun(&verb, noun))
            || self.uses(first)
            || self.unnamed(order, part).is_none();
        (!is_look).then(|| first.to_owned())
    }

    /// What stands before the order: `please`, `in acme/rocket`, `for #12`.
    fn cut_lead<'w, 'a>(&self, words: &'w [&'a str]) -> (&'w [&'a str], &'w [&'a str]) {
        let is_lead = |word: &&&str| is_lead(word) || self.uses(word);
        let lead = words.iter().take_while(is_lead).count();
        words.split_at(lead)
    }

    /// What people described themselves is run if it is named, or asked for in the words of its description:
    /// of what only a part is said, or in another order, nobody knows whether it is meant.
    fn unnamed(&self, order: &[&str], part: &str) -> Option<String> {
        let telling = |words: &[&str]| -> Vec<String> {
            let words = words.iter().map(|word| plain(word));
            words.filter(|word| !ARTICLES.contains(&&**word)).collect()
        };
        let said: Vec<_> = order.iter().filter(|word| !self.uses(word)).collect();
        let said: Vec<&str> = said.into_iter().copied().collect();
        let order = telling(&said);
        let description: Vec<_> = self.card.description.split_whitespace().collect();
        let description = telling(&description);
        let is_described = order == description;
        let is_named = match order.as_slice() {
            [name] => *name == self.card.id.as_str().to_lowercase(),
            [verb, name] => {
                ["call", "execute", "run", "start"].contains(&verb.as_str())
                    && *name == self.card.id.as_str().to_lowercase()
            }
            _ => false,
        };
        let left = (!is_described && !is_named).then(|| {
            let is_unread = |word: &&&str| {
                let plain = plain(word);
                !ARTICLES.contains(&&*plain) && !description.contains(&plain)
            };
            let unread = said.iter().find(is_unread);
            unread.map_or_else(|| first_said(&said, part), |word| (*word).to_owned())
        });
        left.or_else(|| self.unused_quote())
    }

    fn unused_quote(&self) -> Option<String> {
        let texts = self.said.quoted.iter().map(|it| &it.text);
        let mut unused = texts.filter(|text| !self.said.is_text_used(text, self.input));
        unused.next().cloned()
    }

    fn uses(&self, word: &str) -> bool {
        self.said.is_used(word, self.input)
    }
}

/// The first word of an order, as it was said; the whole part, if no order is in it.
fn first_said(order: &[&str], part: &str) -> String {
    let first = order
        .iter()
        .map(|word| bare(word))
        .find(|word| !word.is_empty());
    first.unwrap_or(part).to_owned()
}

/// Words that change nothing of whatever is described.
const ARTICLES: [&str; 5] = ["a", "an", "now", "please", "the"];

/// Words that change nothing of what is to be done.
const HARMLESS: [&str; 19] = [
    "a", "an", "at", "called", "for", "from", "in", "it", "now", "nr", "number", "of", "on",
    "please", "saying", "the", "titled", "to", "with",
];

/// Whether a word may stand before an order.
pub(super) fn is_lead(word: &str) -> bool {
    LEADS.contains(&plain(word).as_str())
}

const LEADS: [&str; 10] = [
    "also", "and", "at", "for", "in", "now", "of", "on", "please", "pls",
];

/// `can you close issue 3?` is an order, however it is put.
fn without_politeness<'w, 'a>(words: &'w [&'a str]) -> &'w [&'a str] {
    let is = |word: &str, all: &[&str]| all.contains(&plain(word).as_str());
    match words {
        [first, second, rest @ ..]
            if is(first, &["can", "could", "would"]) && is(second, &["you"]) =>
        {
            rest
        }
        all => all,
    }
}

/// Whether a verb orders what a capability does.
#[derive(Debug, PartialEq, Eq)]
enum Order {
    No,
    Whole,
    /// If this is said as well.
    With(String),
}

/// `issue.close` is ordered by `close`, `issue.labels.add` by `add` with `labels` or by `label`.
fn orders(card: &Card, verb: &str) -> Order {
    let parts: Vec<_> = card.id.as_str().split('.').collect();
    let (Some(action), Some(domain)) = (parts.last(), parts.first()) else {
        return Order::No;
    };
    let things: Vec<&str> = parts[1..parts.len() - 1].to_vec();
    let looks = card.operation == Operation::Read;
    let is_action = verb == *action
        || (*action == "create" && ["add", "file", "open", "post", "write"].contains(&verb))
        || (looks && done_by(verb) == Some(Doing::Looking));
    // Whoever comments creates a comment; who labels adds one.
    let makes = ["add", "create"].contains(action);
    let is_done_with = |thing: &&&str| {
        makes && verb.len() >= SHORTEST_VERB && thing.starts_with(verb) && verb != **thing
    };
    match things.last() {
        Some(thing) if is_action => Order::With((*thing).to_owned()),
        None if is_action && *action == "create" => Order::With((*domain).to_owned()),
        None if is_action => Order::Whole,
        Some(_) if things.iter().any(|thing| is_done_with(&thing)) => Order::Whole,
        _ => Order::No,
    }
}

/// `label` of `labels`, `assign` of `assignees`.
const SHORTEST_VERB: usize = 5;

/// What a capability works on, as people call it.
fn nouns(card: &Card) -> Vec<String> {
    let id = card.id.as_str();
    let parts = id.split('.').rev().skip(1);
    let domain = card.id.domain();
    let names = names_of(domain).into_iter();
    // A report may also be what somebody wants to have.
    let names = names.filter(|name| *name != "report");
    let all = parts.chain(names).chain(["repo", "repository"]);
    all.map(str::to_owned).collect()
}

/// A noun, as one or as several.
fn is_noun(word: &str, noun: &str) -> bool {
    let one = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    one(word) == one(noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_from_orders() {
        for (intent, expected) in [
            ("close issue 3?", true),
            ("can you close issue 3?", false),
            ("comment \"why?\" on issue 3", false),
            ("close issue 3", false),
            ("is pr 7 merged ?", true),
        ] {
            assert_eq!(is_question(intent), expected, "{intent}");
        }
    }

    #[test]
    fn nouns_are_one_or_several() {
        for (word, noun, expected) in [
            ("issues", "issue", true),
            ("label", "labels", true),
            ("closed", "close", false),
            ("merges", "merged", false),
        ] {
            assert_eq!(is_noun(word, noun), expected, "{word} {noun}");
        }
    }
}
