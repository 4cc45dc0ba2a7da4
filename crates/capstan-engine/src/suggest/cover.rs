//! Whether a plan does all that an intent says, and nothing else: only that is run without a look at it.
//!
//! What is not understood may change everything: `close issue 3 tomorrow`, `revert the merge`, `all but
//! issue 3`. So words are not searched for those that forbid; every word has to be one that a step is named
//! by, a value that a step uses, or one of a few that change nothing.

use capstan_core::card::{Card, Kind, Operation};

use super::plan::PlannedCall;
use super::quotes::{outside_quotes, plain};
use super::said::Said;
use super::words::names_of;

/// The first thing that an intent says and that no step does, as it was said.
pub(super) fn uncovered(intent: &str, steps: &[(&Card, &PlannedCall)]) -> Option<String> {
    let known: Vec<String> = steps.iter().flat_map(|(card, _)| words_of(card)).collect();
    let said = Said::of(intent);
    let is_used = |value: &str| {
        steps
            .iter()
            .any(|(_, call)| said.is_used(value, &call.input))
    };
    let mut words = outside_quotes(intent);
    if let [first, second, rest @ ..] = words.as_slice()
        && is_one_of(first, &["can", "could", "would"])
        && is_one_of(second, &["you"])
    {
        words = rest.to_vec();
    }
    let is_covered = |word: &&str| {
        let plain = plain(word);
        HARMLESS.contains(&plain.as_str())
            || plain.is_empty()
            || is_used(word)
            || known.iter().any(|known| is_form(&plain, known))
    };
    let left = words.iter().find(|word| !is_covered(word));
    let left = left.map(|word| (*word).to_owned());
    let quoted = || said.quoted.iter().find(|text| !is_used(text)).cloned();
    let unsaid = || {
        let is_said = |card: &&Card| {
            let words: Vec<_> = outside_quotes(intent).into_iter().map(plain).collect();
            let domain = card.id.domain();
            let parts = id_words(card).filter(|part| part != domain);
            let mut parts = parts.chain(looking(card));
            parts.any(|part| words.iter().any(|word| is_form(word, &part)))
                || card.kind() != Kind::Card
        };
        let cards = steps.iter().map(|(card, _)| *card);
        let mut silent = cards.filter(|card| !is_said(card));
        silent.next().map(|card| card.id.to_string())
    };
    left.or_else(quoted).or_else(unsaid)
}

/// Words that change nothing of what is to be done.
const HARMLESS: [&str; 20] = [
    "a", "also", "an", "and", "at", "for", "from", "in", "it", "now", "nr", "number", "of", "on",
    "please", "pls", "the", "them", "this", "to",
];

fn is_one_of(word: &str, all: &[&str]) -> bool {
    all.contains(&plain(word).as_str())
}

/// What a capability is called by. What nobody described in a card is described by what it is for.
fn words_of(card: &Card) -> Vec<String> {
    let domain = names_of(card.id.domain()).into_iter().map(str::to_owned);
    let repository = ["repo", "repository"].map(str::to_owned);
    let request = (card.id.domain() == "pr").then(|| "request".to_owned());
    let description = match card.kind() {
        Kind::Card | Kind::System => "",
        Kind::Tool | Kind::Code | Kind::Skill => card.description.as_str(),
    };
    let described = description.split_whitespace().map(plain);
    let words = id_words(card)
        .chain(domain)
        .chain(repository)
        .chain(request);
    words.chain(described).chain(looking(card)).collect()
}

/// What people say for looking at something.
fn looking(card: &Card) -> impl Iterator<Item = String> {
    let words: &[&str] = match card.operation {
        Operation::Read => &["find", "get", "list", "read", "see", "show", "view"],
        Operation::Write => &[],
    };
    words.iter().map(|&word| word.to_owned())
}

fn id_words(card: &Card) -> impl Iterator<Item = String> {
    let words = card.id.as_str().split(|c: char| !c.is_alphanumeric());
    let words = words.map(str::to_lowercase).collect::<Vec<_>>();
    words.into_iter().filter(|word| !word.is_empty())
}

/// Whether a word is a form of another: `closing` and `close`, `assign` and `assignees`.
fn is_form(word: &str, of: &str) -> bool {
    const SHORTEST: usize = 5;
    let base = of.strip_suffix('e').unwrap_or(of);
    let ending = |base: &str| {
        let ending = word.strip_prefix(base);
        ending.is_some_and(|ending| ["", "d", "e", "ed", "ing", "s"].contains(&ending))
    };
    ending(of) || ending(base) || (word.len() >= SHORTEST && of.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::is_form;

    #[test]
    fn forms_of_words() {
        for (word, of, expected) in [
            ("close", "close", true),
            ("closing", "close", true),
            ("closed", "close", true),
            ("comment", "comments", true),
            ("assign", "assignees", true),
            ("disclose", "close", false),
            ("un", "unlabel", false),
            ("reopen", "open", false),
        ] {
            assert_eq!(is_form(word, of), expected, "{word} {of}");
        }
    }
}
