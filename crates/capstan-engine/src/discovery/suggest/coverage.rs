//! Checks that a step does everything that its clause says, and nothing else. A plan is ready only if that
//! holds for every step; the suggestion lists every word that was not read.
//!
//! Words that are not understood may change everything: `close issue 3 tomorrow`, `revert the merge`, `was pr
//! 7 merged`. A list of forbidden words could never be complete. So a clause must have the form of an order
//! instead:
//!
//! > [please] VERB [the] THING VALUE [in OWNER/REPO] ["TEXT"]
//!
//! The verb comes first, is not inflected, and is one that names the step. Every other word names what the
//! step works on, is a value or an option that the step uses, or is one of a few neutral words. A read may
//! also be asked for as a question (`which checks does pr 27 have`) or named without a verb.

use std::collections::BTreeSet;

use capstan_core::card::{Card, Kind, Operation};
use serde_json::{Map, Value};

use super::options::mentioned_options;
use super::quotes::{normalized, trimmed, unquoted_words};
use super::values::IntentValues;
use super::vocabulary::synonyms_of;

/// A step, to be compared with the clause that asks for it.
pub(super) struct CoverageCheck<'a> {
    pub(super) values: &'a IntentValues,
    pub(super) card: &'a Card,
    pub(super) input: &'a Map<String, Value>,
}

/// Returns whether an intent is a question rather than an order.
pub(super) fn is_question(intent: &str) -> bool {
    let words = unquoted_words(intent);
    let has_question_mark = words.iter().any(|word| word.contains(['?', '？', '¿']));
    has_question_mark && !is_polite_question(&words)
}

/// Returns whether a clause starts like a question: `was issue 3 closed`, `should I merge it`, but not `can
/// you merge it`.
pub(super) fn starts_like_question(clause: &str) -> bool {
    let words = unquoted_words(clause);
    let first = words
        .first()
        .map(|word| normalized(word))
        .unwrap_or_default();
    QUESTION_WORDS.contains(&first.as_str()) && count_polite_words(&words) == 0
}

impl CoverageCheck<'_> {
    /// Returns the words of a clause that the step does not cover, as they were written.
    pub(super) fn unread_words(&self, clause: &str) -> Vec<String> {
        let all = unquoted_words(clause);
        let polite_count = count_polite_words(&all);
        let words = &all[polite_count..];
        let mut unread = if [Kind::Card, Kind::System].contains(&self.card.kind()) {
            self.unread_of_order(words, clause, polite_count)
        } else {
            let leading = self.count_leading_words(words);
            self.unread_of_described(&words[leading..], clause)
        };
        unread.extend(self.unused_quotes());
        unread
    }

    fn unread_of_order(&self, words: &[&str], clause: &str, polite_count: usize) -> Vec<String> {
        let leading = self.count_leading_words(words);
        let options = mentioned_options(self.card, clause).into_iter();
        let options = options.filter(|it| self.input.get(&it.field) == Some(&it.value));
        let of_options: BTreeSet<usize> = options.flat_map(|it| it.words).collect();
        let (is_read, nouns) = (self.card.operation == Operation::Read, nouns(self.card));
        let is_option = |index: usize| of_options.contains(&(index + polite_count));
        let is_known_word = |index: usize| {
            let (Some(word), before) = (readable_word(words[index]), index.checked_sub(1)) else {
                return false;
            };
            let before = before.map(|at| normalized(words[at])).unwrap_or_default();
            let next = words.get(index + 1);
            NEUTRAL_WORDS.contains(&word.as_str())
                || (is_read && NEUTRAL_WORDS_FOR_READS.contains(&word.as_str()))
                || (is_noun(&word, "request") && (before == "pull" || before == "merge"))
                || (NUMBER_WORDS.contains(&word.as_str())
                    && next.is_some_and(|it| self.uses_value(it)))
                || nouns.iter().any(|noun| is_noun(&word, noun))
        };
        let is_covered = |index: usize| {
            index < leading
                || is_option(index)
                || self.uses_value(words[index])
                || is_known_word(index)
        };
        let verb = words.get(leading).and_then(|word| readable_word(word));
        let is_order = match verb.map(|verb| match_verb(self.card, &verb)) {
            Some(VerbMatch::Complete) => true,
            // `add` needs a noun that says what is added.
            Some(VerbMatch::WithNoun(noun)) => {
                let mut names = synonyms_of(&noun);
                names.push(&noun);
                let rest = words
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| *index != leading);
                let mut rest = rest.map(|(_, word)| normalized(word));
                rest.any(|word| names.iter().any(|name| is_noun(&word, name)))
            }
            Some(VerbMatch::None) | None => false,
        };
        let from = leading + usize::from(is_order);
        let indices = (0..words.len()).filter(|index| *index < leading || *index >= from);
        let unread: Vec<_> = indices
            .filter(|index| !is_covered(*index))
            .map(|index| display_word(words[index]))
            .collect();
        // A read may be named without a verb. A write needs one.
        if unread.is_empty() && !is_order && !is_read {
            return vec![
                words
                    .get(leading)
                    .map_or(clause, |word| trimmed(word))
                    .to_owned(),
            ];
        }
        unread
    }

    /// Counts the words before the order: `please`, `in acme/rocket`, `for #12`.
    fn count_leading_words(&self, words: &[&str]) -> usize {
        let is_leading_word = |word: &&&str| is_leading_word(word) || self.uses_value(word);
        words.iter().take_while(is_leading_word).count()
    }

    /// Returns the unread words for tools, code and skills. They run only if they are named or if the clause
    /// repeats their whole description in the same order; a part of it may mean something else.
    fn unread_of_described(&self, order: &[&str], clause: &str) -> Vec<String> {
        let content_words = |words: &[&str]| -> Vec<String> {
            let words = words.iter().map(|word| normalized(word));
            words.filter(|word| !ARTICLES.contains(&&**word)).collect()
        };
        let is_no_value = |word: &&&str| !self.uses_value(word);
        let rest: Vec<&str> = order.iter().filter(is_no_value).copied().collect();
        let description: Vec<_> = self.card.description.split_whitespace().collect();
        let description = content_words(&description);
        if content_words(&rest) == description
            && rest.iter().all(|word| readable_word(word).is_some())
        {
            return Vec::new();
        }
        let name = self.card.id.as_str().to_lowercase();
        let name_length = match rest.as_slice() {
            [first, ..] if readable_word(first).is_some_and(|it| it == name) => Some(1),
            [verb, second, ..]
                if readable_word(verb).is_some_and(|it| RUN_VERBS.contains(&it.as_str()))
                    && readable_word(second).is_some_and(|it| it == name) =>
            {
                Some(2)
            }
            _ => None,
        };
        if let Some(name_length) = name_length {
            let is_unread =
                |word: &&&str| !readable_word(word).is_some_and(|it| introduces_value(&it));
            let unread = rest[name_length..].iter().filter(is_unread);
            return unread.map(|word| display_word(word)).collect();
        }
        let is_unread = |word: &&&str| {
            let plain = normalized(word);
            !ARTICLES.contains(&&*plain) && !description.contains(&plain)
        };
        let unread: Vec<_> = rest
            .iter()
            .filter(is_unread)
            .map(|it| display_word(it))
            .collect();
        if !unread.is_empty() {
            unread
        } else if rest.is_empty() {
            vec![clause.to_owned()]
        } else {
            // All words are in its description, but in another order or with gaps.
            rest.iter().map(|word| display_word(word)).collect()
        }
    }

    fn unused_quotes(&self) -> impl Iterator<Item = String> {
        let texts = self.values.quoted.iter().map(|it| &it.text);
        let unused = texts.filter(|text| !self.values.is_text_used(text, self.input));
        unused.cloned()
    }

    fn uses_value(&self, word: &str) -> bool {
        has_value_marker(word) && self.values.is_used(word, self.input)
    }
}

/// Returns whether a word outside the orders of an intent changes nothing about them, even if it is no value:
/// `please`, `for`, or a noun for what one of the steps works on.
pub(super) fn is_neutral_aside<'a>(word: &str, mut cards: impl Iterator<Item = &'a Card>) -> bool {
    let Some(word) = readable_word(word) else {
        return false;
    };
    is_leading_word(&word)
        || COURTESY_WORDS.contains(&word.as_str())
        || cards.any(|card| nouns(card).iter().any(|noun| is_noun(&word, noun)))
}

/// Returns whether a word starts like a value: `(#12)`, but not `!12`.
pub(super) fn has_value_marker(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphanumeric() || "#@(`\"“".contains(c))
}

/// Returns a word in lower case, if no mark around it could change its meaning: `close,` but not `!close` or
/// `~~close~~`.
pub(super) fn readable_word(word: &str) -> Option<String> {
    let is_end = |c: char| ",;.:!?".contains(c);
    let bare = word.trim_end_matches(is_end);
    let is_plain = bare
        .chars()
        .all(|c| c.is_alphanumeric() || "-_./'’".contains(c));
    let starts_well =
        bare.is_empty() && !word.contains('!') || bare.starts_with(|c: char| c.is_alphanumeric());
    (is_plain && starts_well).then(|| bare.to_lowercase())
}

/// Returns a word without the marks around it, or the marks if there is nothing else.
pub(super) fn display_word(word: &str) -> String {
    match (readable_word(word), trimmed(word)) {
        (Some(_), bare) if !bare.is_empty() => bare.to_owned(),
        _ => word.to_owned(),
    }
}

/// Words that are ignored when a clause is compared with a description.
const ARTICLES: [&str; 5] = ["a", "an", "now", "please", "the"];

/// Verbs that may come before the name of a capability.
const RUN_VERBS: [&str; 4] = ["call", "execute", "run", "start"];

/// Words that do not change an order. A free-standing punctuation mark is an empty word.
const NEUTRAL_WORDS: [&str; 22] = [
    "", "a", "an", "at", "called", "for", "from", "in", "it", "kindly", "now", "nr", "number",
    "of", "on", "please", "saying", "thanks", "the", "titled", "to", "with",
];

/// Words that do not change a read.
const NEUTRAL_WORDS_FOR_READS: [&str; 13] = [
    "all", "any", "are", "do", "does", "has", "have", "is", "list", "me", "there", "what", "which",
];

/// Words before a number: `issue no 12`.
const NUMBER_WORDS: [&str; 3] = ["id", "no", "num"];

const COURTESY_WORDS: [&str; 8] = [
    "hello", "hey", "hi", "kindly", "please", "pls", "thanks", "thx",
];

/// Returns whether a word only introduces a value or names its type.
fn introduces_value(word: &str) -> bool {
    let names = ["issue", "pr", "repo"].into_iter().flat_map(synonyms_of);
    NEUTRAL_WORDS.contains(&word) || names.into_iter().any(|name| is_noun(word, name))
}

/// Returns whether a word may come before an order.
pub(super) fn is_leading_word(word: &str) -> bool {
    readable_word(word).is_some_and(|word| LEADING_WORDS.contains(&word.as_str()))
}

const LEADING_WORDS: [&str; 17] = [
    "", "also", "and", "at", "first", "for", "hello", "hey", "hi", "in", "kindly", "now", "of",
    "on", "please", "pls", "then",
];

/// Counts the words that only wrap an order: `can you close issue 3?`, `do not forget to close issue 3`.
fn count_polite_words(words: &[&str]) -> usize {
    let please = words
        .iter()
        .take_while(|word| is_courtesy_word(word))
        .count();
    let rest: Vec<_> = words[please..]
        .iter()
        .map(|word| readable_word(word))
        .collect();
    let starts_with = |phrase: &&&[&str]| {
        rest.len() > phrase.len()
            && phrase
                .iter()
                .zip(&rest)
                .all(|(one, other)| other.as_deref() == Some(one))
    };
    let phrase = POLITE_PHRASES.iter().find(starts_with);
    phrase.map_or(0, |phrase| please + phrase.len())
}

fn is_courtesy_word(word: &str) -> bool {
    readable_word(word).is_some_and(|word| COURTESY_WORDS.contains(&word.as_str()))
}

fn is_polite_question(words: &[&str]) -> bool {
    let asks = |word: &&str| {
        readable_word(word).is_some_and(|it| ["can", "could", "would"].contains(&&*it))
    };
    let length = count_polite_words(words);
    length >= 2 && words[..length].iter().any(asks)
}

/// Words that start a question.
const QUESTION_WORDS: [&str; 26] = [
    "are", "can", "could", "did", "does", "had", "has", "have", "how", "is", "may", "might",
    "must", "shall", "should", "was", "were", "what", "when", "where", "which", "who", "whose",
    "why", "will", "would",
];

const POLITE_PHRASES: [&[&str]; 11] = [
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
enum VerbMatch {
    None,
    Complete,
    /// Only together with this noun.
    WithNoun(String),
}

/// Matches a verb with an id: `close` orders `issue.close`; `add` with `labels`, or `label`, orders
/// `issue.labels.add`.
fn match_verb(card: &Card, verb: &str) -> VerbMatch {
    let parts: Vec<_> = card.id.as_str().split('.').collect();
    let (Some(action), Some(domain)) = (parts.last(), parts.first()) else {
        return VerbMatch::None;
    };
    let nouns: Vec<&str> = parts[1..parts.len() - 1].to_vec();
    let is_read = card.operation == Operation::Read;
    if verb == card.id.as_str() {
        return VerbMatch::Complete;
    }
    let is_action = verb == *action
        || (*action == "create" && ["add", "file", "open", "post", "write"].contains(&verb));
    // "comment" creates a comment, and "label" adds a label.
    let is_creation = ["add", "create"].contains(action);
    let is_verb_of_noun = |noun: &&&str| {
        is_creation && verb.len() >= MIN_VERB_LENGTH && noun.starts_with(verb) && verb != **noun
    };
    if is_read && GENERIC_READ_VERBS.contains(&verb) {
        return VerbMatch::Complete;
    }
    match nouns.last() {
        Some(noun) if is_action => VerbMatch::WithNoun((*noun).to_owned()),
        None if is_action && *action == "create" => VerbMatch::WithNoun((*domain).to_owned()),
        None if is_action => VerbMatch::Complete,
        Some(_) if nouns.iter().any(|noun| is_verb_of_noun(&noun)) => VerbMatch::Complete,
        _ => VerbMatch::None,
    }
}

/// Verbs that order any read.
const GENERIC_READ_VERBS: [&str; 14] = [
    "browse", "check", "display", "fetch", "find", "get", "inspect", "list", "look", "read",
    "search", "see", "show", "view",
];

/// Minimum length of a verb that is a prefix of a noun: `label` of `labels`, `assign` of `assignees`.
const MIN_VERB_LENGTH: usize = 5;

/// Returns the nouns for what a capability works on.
pub(super) fn nouns(card: &Card) -> Vec<String> {
    let id = card.id.as_str();
    let parts = id.split('.').rev().skip(1);
    let domain = card.id.domain();
    let names = synonyms_of(domain).into_iter();
    // "report" may also mean a document that the user wants.
    let names = names.filter(|name| *name != "report");
    // GitHub counts issues and pull requests together, and some cards take either.
    let issue = &card.input_schema["properties"]["issue_number"]["description"];
    let takes_either = issue.as_str().is_some_and(|it| it.contains("pull request"));
    let either = if takes_either {
        synonyms_of("pr")
    } else {
        Vec::new()
    };
    let threads = id.contains("threads").then_some("review");
    let all = parts.chain(names).chain(either).chain(threads);
    all.chain(["repo", "repository"])
        .map(str::to_owned)
        .collect()
}

/// Returns whether a word is a noun, in singular or plural.
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
