//! Whether a step does all that a part of an intent says, and nothing else. A plan is ready only if it does:
//! whoever looks at the plan is told every word that was not read.
//!
//! What is not understood may change everything: `close issue 3 tomorrow`, `revert the merge`, `was pr 7
//! merged`. So nobody looks for words that forbid. A part has to be an order in so many words:
//!
//! > [please] VERB [the] THING VALUE [in OWNER/REPO] ["TEXT"]
//!
//! The verb stands first, is not bent, and is one that the step is called by; every other word is a name of
//! what it works on, a value or an option that it uses, or one of a few that change nothing. What only looks may
//! be asked for as well (`which checks does pr 27 have`), or named without a verb.

use std::collections::BTreeSet;

use capstan_core::card::{Card, Kind, Operation};
use serde_json::{Map, Value};

use super::options::options;
use super::quotes::{bare, outside_quotes, plain};
use super::said::Said;
use super::words::names_of;

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
    is_asked && !is_polite_question(&words)
}

/// Whether a part begins like a question: `was issue 3 closed`, `should I merge it`, but not `can you merge it`.
pub(super) fn is_asked(part: &str) -> bool {
    let words = outside_quotes(part);
    let first = words.first().map(|word| plain(word)).unwrap_or_default();
    ASKS.contains(&first.as_str()) && politeness(&words) == 0
}

impl Covering<'_> {
    /// The words of a part that say something which the step does not do, as they were said.
    pub(super) fn unread(&self, part: &str) -> Vec<String> {
        let all = outside_quotes(part);
        let polite = politeness(&all);
        let words = &all[polite..];
        let mut unread = if [Kind::Card, Kind::System].contains(&self.card.kind()) {
            self.unread_of_card(words, part, polite)
        } else {
            let lead = self.lead(words);
            self.unread_of_described(&words[lead..], part)
        };
        unread.extend(self.unused_quotes());
        unread
    }

    fn unread_of_card(&self, words: &[&str], part: &str, polite: usize) -> Vec<String> {
        let lead = self.lead(words);
        let options = options(self.card, part).into_iter();
        let options = options.filter(|it| self.input.get(&it.field) == Some(&it.value));
        let of_options: BTreeSet<usize> = options.flat_map(|it| it.words).collect();
        let (looks, nouns) = (self.card.operation == Operation::Read, nouns(self.card));
        let is_option = |place: usize| of_options.contains(&(place + polite));
        let is_said = |place: usize| {
            let (Some(word), before) = (read(words[place]), place.checked_sub(1)) else {
                return false;
            };
            let before = before.map(|at| plain(words[at])).unwrap_or_default();
            let next = words.get(place + 1);
            HARMLESS.contains(&word.as_str())
                || (looks && HARMLESS_TO_LOOK.contains(&word.as_str()))
                || (is_noun(&word, "request") && (before == "pull" || before == "merge"))
                || (SAYS_NUMBER.contains(&word.as_str()) && next.is_some_and(|it| self.uses(it)))
                || nouns.iter().any(|noun| is_noun(&word, noun))
        };
        let is_read = |place: usize| {
            place < lead || is_option(place) || self.uses(words[place]) || is_said(place)
        };
        let verb = words.get(lead).and_then(|word| read(word));
        let is_order = match verb.map(|verb| orders(self.card, &verb)) {
            Some(Order::Whole) => true,
            // `add` says nothing before it is said what.
            Some(Order::With(noun)) => {
                let mut names = names_of(&noun);
                names.push(&noun);
                let rest = words.iter().enumerate().filter(|(place, _)| *place != lead);
                let mut rest = rest.map(|(_, word)| plain(word));
                rest.any(|word| names.iter().any(|name| is_noun(&word, name)))
            }
            Some(Order::No) | None => false,
        };
        let from = lead + usize::from(is_order);
        let places = (0..words.len()).filter(|place| *place < lead || *place >= from);
        let unread: Vec<_> = places
            .filter(|place| !is_read(*place))
            .map(|place| as_said(words[place]))
            .collect();
        // What is looked at may be named alone; what is changed has to be ordered.
        if unread.is_empty() && !is_order && !looks {
            return vec![words.get(lead).map_or(part, |word| bare(word)).to_owned()];
        }
        unread
    }

    /// How many words stand before the order: `please`, `in acme/rocket`, `for #12`.
    fn lead(&self, words: &[&str]) -> usize {
        let is_lead = |word: &&&str| is_lead(word) || self.uses(word);
        words.iter().take_while(is_lead).count()
    }

    /// What people described themselves is run if it is named, or asked for in the words of its description:
    /// of what only a part is said, or in another order, nobody knows whether it is meant.
    fn unread_of_described(&self, order: &[&str], part: &str) -> Vec<String> {
        let telling = |words: &[&str]| -> Vec<String> {
            let words = words.iter().map(|word| plain(word));
            words.filter(|word| !ARTICLES.contains(&&**word)).collect()
        };
        let is_told = |word: &&&str| !self.uses(word);
        let said: Vec<&str> = order.iter().filter(is_told).copied().collect();
        let description: Vec<_> = self.card.description.split_whitespace().collect();
        let description = telling(&description);
        if telling(&said) == description && said.iter().all(|word| read(word).is_some()) {
            return Vec::new();
        }
        let name = self.card.id.as_str().to_lowercase();
        let begins = match said.as_slice() {
            [first, ..] if read(first).is_some_and(|it| it == name) => Some(1),
            [verb, second, ..]
                if read(verb).is_some_and(|it| RUNS.contains(&it.as_str()))
                    && read(second).is_some_and(|it| it == name) =>
            {
                Some(2)
            }
            _ => None,
        };
        if let Some(begins) = begins {
            let is_unread = |word: &&&str| !read(word).is_some_and(|it| names_a_value(&it));
            let unread = said[begins..].iter().filter(is_unread);
            return unread.map(|word| as_said(word)).collect();
        }
        let is_unread = |word: &&&str| {
            let plain = plain(word);
            !ARTICLES.contains(&&*plain) && !description.contains(&plain)
        };
        let unread: Vec<_> = said
            .iter()
            .filter(is_unread)
            .map(|it| as_said(it))
            .collect();
        if !unread.is_empty() {
            unread
        } else if said.is_empty() {
            vec![part.to_owned()]
        } else {
            // All are in its description, but not as they stand there.
            said.iter().map(|word| as_said(word)).collect()
        }
    }

    fn unused_quotes(&self) -> impl Iterator<Item = String> {
        let texts = self.said.quoted.iter().map(|it| &it.text);
        let unused = texts.filter(|text| !self.said.is_text_used(text, self.input));
        unused.cloned()
    }

    fn uses(&self, word: &str) -> bool {
        is_marked_like_a_value(word) && self.said.is_used(word, self.input)
    }
}

/// Whether a word that stands beside the orders of an intent changes nothing of them, if it is no value: `please`,
/// `for`, or what one of the steps works on.
pub(super) fn is_harmless_aside<'a>(word: &str, mut cards: impl Iterator<Item = &'a Card>) -> bool {
    let Some(word) = read(word) else {
        return false;
    };
    is_lead(&word)
        || COURTESY.contains(&word.as_str())
        || cards.any(|card| nouns(card).iter().any(|noun| is_noun(&word, noun)))
}

/// Whether a word is marked as values may be: `(#12)`, but not `!12`.
pub(super) fn is_marked_like_a_value(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphanumeric() || "#@(`\"“".contains(c))
}

/// A word in small letters, if nothing around it could change what it says: `close,` but not `!close` or `~~close~~`.
pub(super) fn read(word: &str) -> Option<String> {
    let is_end = |c: char| ",;.:!?".contains(c);
    let bare = word.trim_end_matches(is_end);
    let is_plain = bare
        .chars()
        .all(|c| c.is_alphanumeric() || "-_./'’".contains(c));
    let begins =
        bare.is_empty() && !word.contains('!') || bare.starts_with(|c: char| c.is_alphanumeric());
    (is_plain && begins).then(|| bare.to_lowercase())
}

/// A word as it was said, without the marks around it; the marks, if there is nothing else.
pub(super) fn as_said(word: &str) -> String {
    match (read(word), bare(word)) {
        (Some(_), bare) if !bare.is_empty() => bare.to_owned(),
        _ => word.to_owned(),
    }
}

/// Words that change nothing of whatever is described.
const ARTICLES: [&str; 5] = ["a", "an", "now", "please", "the"];

/// What runs what is named.
const RUNS: [&str; 4] = ["call", "execute", "run", "start"];

/// Words that change nothing of what is to be done. Punctuation that stands alone is an empty word.
const HARMLESS: [&str; 22] = [
    "", "a", "an", "at", "called", "for", "from", "in", "it", "kindly", "now", "nr", "number",
    "of", "on", "please", "saying", "thanks", "the", "titled", "to", "with",
];

/// Words that change nothing of what is looked at.
const HARMLESS_TO_LOOK: [&str; 13] = [
    "all", "any", "are", "do", "does", "has", "have", "is", "list", "me", "there", "what", "which",
];

/// `issue no 12`
const SAYS_NUMBER: [&str; 3] = ["id", "no", "num"];

const COURTESY: [&str; 8] = [
    "hello", "hey", "hi", "kindly", "please", "pls", "thanks", "thx",
];

/// Whether a word only leads to a value of what is named, or says what kind of thing it is.
fn names_a_value(word: &str) -> bool {
    let names = ["issue", "pr", "repo"].into_iter().flat_map(names_of);
    HARMLESS.contains(&word) || names.into_iter().any(|name| is_noun(word, name))
}

/// Whether a word may stand before an order.
pub(super) fn is_lead(word: &str) -> bool {
    read(word).is_some_and(|word| LEADS.contains(&word.as_str()))
}

const LEADS: [&str; 17] = [
    "", "also", "and", "at", "first", "for", "hello", "hey", "hi", "in", "kindly", "now", "of",
    "on", "please", "pls", "then",
];

/// How many words only wrap an order: `can you close issue 3?`, `do not forget to close issue 3`.
fn politeness(words: &[&str]) -> usize {
    let please = words.iter().take_while(|word| is_please(word)).count();
    let rest: Vec<_> = words[please..].iter().map(|word| read(word)).collect();
    let is_begun = |phrase: &&&[&str]| {
        rest.len() > phrase.len()
            && phrase
                .iter()
                .zip(&rest)
                .all(|(one, other)| other.as_deref() == Some(one))
    };
    let phrase = POLITE.iter().find(is_begun);
    phrase.map_or(0, |phrase| please + phrase.len())
}

fn is_please(word: &str) -> bool {
    read(word).is_some_and(|word| COURTESY.contains(&word.as_str()))
}

fn is_polite_question(words: &[&str]) -> bool {
    let asks = |word: &&str| read(word).is_some_and(|it| ["can", "could", "would"].contains(&&*it));
    let length = politeness(words);
    length >= 2 && words[..length].iter().any(asks)
}

/// Words with which questions begin.
const ASKS: [&str; 26] = [
    "are", "can", "could", "did", "does", "had", "has", "have", "how", "is", "may", "might",
    "must", "shall", "should", "was", "were", "what", "when", "where", "which", "who", "whose",
    "why", "will", "would",
];

const POLITE: [&[&str]; 11] = [
    &["can", "you"],
    &["could", "you"],
    &["would", "you"],
    &["will", "you"],
    &["don't", "forget", "to"],
    &["don’t", "forget", "to"],
    &["dont", "forget", "to"],
    &["do", "not", "forget", "to"],
    &["never", "fail", "to"],
    &["do", "not", "fail", "to"],
    &["don't", "fail", "to"],
];

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
    if verb == card.id.as_str() {
        return Order::Whole;
    }
    let is_action = verb == *action
        || (*action == "create" && ["add", "file", "open", "post", "write"].contains(&verb));
    // Whoever comments creates a comment; who labels adds one.
    let makes = ["add", "create"].contains(action);
    let is_done_with = |thing: &&&str| {
        makes && verb.len() >= SHORTEST_VERB && thing.starts_with(verb) && verb != **thing
    };
    if looks && LOOKS.contains(&verb) {
        return Order::Whole;
    }
    match things.last() {
        Some(thing) if is_action => Order::With((*thing).to_owned()),
        None if is_action && *action == "create" => Order::With((*domain).to_owned()),
        None if is_action => Order::Whole,
        Some(_) if things.iter().any(|thing| is_done_with(&thing)) => Order::Whole,
        _ => Order::No,
    }
}

/// What asks to see something, whatever it is.
const LOOKS: [&str; 14] = [
    "browse", "check", "display", "fetch", "find", "get", "inspect", "list", "look", "read",
    "search", "see", "show", "view",
];

/// `label` of `labels`, `assign` of `assignees`.
const SHORTEST_VERB: usize = 5;

/// What a capability works on, as people call it.
pub(super) fn nouns(card: &Card) -> Vec<String> {
    let id = card.id.as_str();
    let parts = id.split('.').rev().skip(1);
    let domain = card.id.domain();
    let names = names_of(domain).into_iter();
    // A report may also be what somebody wants to have.
    let names = names.filter(|name| *name != "report");
    // GitHub counts issues and pull requests together, and some cards take either.
    let issue = &card.input_schema["properties"]["issue_number"]["description"];
    let takes_either = issue.as_str().is_some_and(|it| it.contains("pull request"));
    let either = if takes_either {
        names_of("pr")
    } else {
        Vec::new()
    };
    let threads = id.contains("threads").then_some("review");
    let all = parts.chain(names).chain(either).chain(threads);
    all.chain(["repo", "repository"])
        .map(str::to_owned)
        .collect()
}

/// A noun, as one or as several.
pub(super) fn is_noun(word: &str, noun: &str) -> bool {
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
            ("please can you close issue 3?", false),
            ("can pr 7 be merged?", true),
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
