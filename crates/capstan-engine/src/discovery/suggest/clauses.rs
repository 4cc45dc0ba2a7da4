//! Splits an intent into clauses: "find the open bugs, label them and tell kim" has three.

use super::coverage::{display_word, readable_word};
use super::negation::{find_negation, is_contrast};
use super::quotes::{Word, normalized, unquoted_words, words};
use super::values::{starts_with_value, without_values};
use super::vocabulary::is_list_request;

/// A part of an intent that asks for one thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) text: String,
    /// Its words outside quotes, in lower case and without punctuation.
    pub(super) words: Vec<String>,
    /// Whether only "and" or a comma separates it from the clause before it.
    pub(super) continues_previous: bool,
    /// How it is connected to the clause before it.
    pub(super) connector: Connector,
    /// Position in the order of execution. The intent states no order between clauses with the same turn.
    pub(super) turn: usize,
}

/// How a clause is connected to the clause before it. Some connectors extend the scope of a negation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Connector {
    /// It starts the intent or a sentence, or follows a semicolon or a colon.
    #[default]
    Start,
    Comma,
    /// No word in between: a negation starts.
    Negation,
    /// "and", "then", "before" …
    Conjunction,
    /// "but", "just", "instead".
    Contrast,
}

/// Splits an intent at punctuation, at conjunctions and before negations, but not inside quotes.
pub(super) fn clauses(intent: &str) -> Vec<Clause> {
    split(intent).clauses()
}

/// Returns the words between clauses that say more than their order: `but`, `while`, `once`, and conjunctions
/// that connect nothing.
pub(super) fn unread_connectors(intent: &str) -> Vec<String> {
    let words = words(intent);
    let last = words.len().saturating_sub(1);
    let connectors = words.iter().enumerate().filter(|(index, word)| {
        let is_read = readable_word(word.text).is_some() && *index < last;
        let is_mark = word.text.chars().all(|c| CLAUSE_ENDS.contains(&c));
        match normalized(word.text).as_str() {
            _ if word.is_quoted => false,
            // `close ! issue 3`
            _ if is_mark => readable_word(word.text).is_none(),
            "but" | "once" | "while" => true,
            other => Conjunction::parse(other).is_some() && !is_read,
        }
    });
    connectors
        .map(|(_, word)| display_word(word.text))
        .collect()
}

fn split(intent: &str) -> ClauseSplitter<'_> {
    let mut splitter = ClauseSplitter::default();
    let words = words(intent);
    for (index, word) in words.iter().enumerate() {
        let conjunction = Conjunction::parse(&normalized(word.text));
        if let Some(conjunction) = conjunction
            && !word.is_quoted
        {
            splitter.end_clause();
            splitter.conjunction = splitter.conjunction.max(conjunction);
            splitter.connector = Connector::Conjunction;
        } else {
            if starts_note_clause(&words[index..]) {
                splitter.end_clause();
            }
            splitter.push_word(*word);
        }
    }
    splitter.end_sentence();
    splitter
}

/// Returns whether a new clause starts here: "close it with a note that …" asks to close it and to write a
/// note.
fn starts_note_clause(words: &[Word<'_>]) -> bool {
    let [with, article, note, ..] = words else {
        return false;
    };
    let is =
        |word: &Word<'_>, all: &[&str]| !word.is_quoted && all.contains(&&*normalized(word.text));
    is(with, &["with"])
        && is(article, &["a", "an", "the"])
        && is(
            note,
            &["comment", "explanation", "link", "message", "note", "reply"],
        )
}

/// The relation of a clause to the one before it. If several conjunctions meet, the greatest one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Conjunction {
    #[default]
    And,
    Then,
    Before,
    After,
}

impl Conjunction {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "also" | "and" | "plus" | "while" => Self::And,
            "afterwards" | "finally" | "followed" | "next" | "then" => Self::Then,
            "before" => Self::Before,
            "after" | "once" => Self::After,
            _ => return None,
        })
    }
}

/// The clauses found so far, and the one that is being read.
#[derive(Default)]
struct ClauseSplitter<'a> {
    texts: Vec<String>,
    /// For each clause, see [`Clause::continues_previous`].
    continues_previous: Vec<bool>,
    connectors: Vec<Connector>,
    /// The connector of the next clause.
    connector: Connector,
    /// The indices of the clauses with the same turn, by turn.
    turns: Vec<Vec<usize>>,
    /// The turn of the last clause.
    last_turn: usize,
    /// The clauses X of "before X, Y", until the sentence ends.
    postponed: Vec<usize>,
    /// Whether the next clause starts a sentence, or follows an introductory clause with "before" or "after".
    starts_sentence: bool,
    /// The conjunction before the next clause.
    conjunction: Conjunction,
    /// The words of the next clause.
    current_words: Vec<&'a str>,
}

impl<'a> ClauseSplitter<'a> {
    fn push_word(&mut self, word: Word<'a>) {
        // A full stop inside a word, as in `v1.2` or `issue.view`, does not end a clause.
        let ends_clause = !word.continues_quote && word.text.ends_with(CLAUSE_ENDS);
        self.current_words.push(if ends_clause {
            word.text.trim_end_matches(CLAUSE_ENDS)
        } else {
            word.text
        });
        if ends_clause && word.text.ends_with(SENTENCE_ENDS) {
            self.end_sentence();
        } else if ends_clause {
            self.end_clause();
            self.connector = if word.text.ends_with(',') {
                Connector::Comma
            } else {
                Connector::Start
            };
        }
    }

    /// Ends the current clause and splits it at its negations.
    fn end_clause(&mut self) {
        let text = std::mem::take(&mut self.current_words).join(" ");
        for (piece, connector) in split_at_negations(&text) {
            if !piece.is_empty() {
                self.add(piece, connector.unwrap_or(self.connector));
                self.connector = Connector::Comma;
            }
        }
    }

    fn add(&mut self, text: String, connector: Connector) {
        let first = words(&text).first().map(|word| is_contrast(word.text));
        let connector = if first == Some(true) {
            Connector::Contrast
        } else {
            connector
        };
        self.connectors.push(connector);
        let index = self.texts.len();
        self.texts.push(text);
        let is_first = self.turns.is_empty() || std::mem::take(&mut self.starts_sentence);
        let conjunction = std::mem::take(&mut self.conjunction);
        self.continues_previous
            .push(!is_first && conjunction == Conjunction::And);
        match (is_first, conjunction) {
            (true, Conjunction::Before) => {
                self.postponed.push(index);
                self.starts_sentence = true;
            }
            (true, conjunction) => {
                self.turns.push(vec![index]);
                self.last_turn = self.turns.len() - 1;
                self.starts_sentence = conjunction == Conjunction::After;
            }
            (false, Conjunction::And) => self.turns[self.last_turn].push(index),
            (false, Conjunction::Then | Conjunction::Before) => {
                self.last_turn += 1;
                self.turns.insert(self.last_turn, vec![index]);
            }
            (false, Conjunction::After) => {
                self.turns.insert(self.last_turn, vec![index]);
                self.last_turn += 1;
            }
        }
    }

    fn end_sentence(&mut self) {
        self.end_clause();
        self.connector = Connector::Start;
        let postponed = std::mem::take(&mut self.postponed);
        self.turns
            .extend((!postponed.is_empty()).then_some(postponed));
        self.last_turn = self.turns.len().saturating_sub(1);
        self.starts_sentence = true;
    }

    fn clauses(self) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        for (index, text) in self.texts.into_iter().enumerate() {
            // "close issues 3, 4 and 5": a clause of values alone repeats the order before it. One that
            // starts with "to" or "from", or that is only quoted, does not.
            let order = clauses.last().map(|it| without_values(&it.text));
            let is_only_values = starts_with_value(&text) && without_values(&text).is_empty();
            let text = match order {
                Some(order) if is_only_values && !order.is_empty() => format!("{order} {text}"),
                _ => text,
            };
            let turn = self.turns.iter().position(|turn| turn.contains(&index));
            let continues_previous = self
                .continues_previous
                .get(index)
                .copied()
                .unwrap_or_default();
            let connector = self.connectors.get(index).copied().unwrap_or_default();
            clauses.push(Clause::new(
                &text,
                turn.unwrap_or_default(),
                continues_previous,
                connector,
            ));
        }
        clauses
    }
}

/// Splits a text at "but" and before unconditional negations: "approve it but do not merge it", "approve it
/// without merging it".
fn split_at_negations(text: &str) -> Vec<(String, Option<Connector>)> {
    let mut pieces = Vec::new();
    let mut rest = words(text);
    let mut connector = None;
    loop {
        let text_left = joined(&rest);
        let negation_start = first_unconditional_negation(&text_left);
        let is_but = |word: &Word<'_>| !word.is_quoted && normalized(word.text) == "but";
        let but = rest.iter().skip(1).position(is_but).map(|index| index + 1);
        let cuts = [negation_start.filter(|index| *index > 0), but];
        let Some(index) = cuts.into_iter().flatten().min() else {
            pieces.push((text_left, connector));
            return pieces;
        };
        pieces.push((joined(&rest[..index]), connector));
        // "all but 3" is a negation; elsewhere "but" only connects.
        let is_plain_but = but == Some(index) && negation_start != Some(index);
        connector = Some(if is_plain_but {
            Connector::Contrast
        } else {
            Connector::Negation
        });
        rest = rest.split_off(index + usize::from(is_plain_but));
    }
}

/// Returns the index of the first word of the first unconditional negation.
fn first_unconditional_negation(text: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let found = find_negation(text, from)?;
        if found.is_unconditional() {
            return Some(found.start);
        }
        from = found.end();
    }
}

fn joined(words: &[Word<'_>]) -> String {
    let texts: Vec<_> = words.iter().map(|word| word.text).collect();
    texts.join(" ")
}

const CLAUSE_ENDS: &[char] = &[',', ';', '.', ':', '!', '?'];

const SENTENCE_ENDS: &[char] = &['.', '!', '?'];

impl Clause {
    fn new(text: &str, turn: usize, continues_previous: bool, connector: Connector) -> Self {
        let words: Vec<String> = unquoted_words(text).into_iter().map(normalized).collect();
        let (text, words) = if is_list_request(&words) {
            let words = ["list".to_owned()].into_iter().chain(words).collect();
            (format!("list {text}"), words)
        } else {
            (text.to_owned(), words)
        };
        Self {
            text,
            words,
            continues_previous,
            connector,
            turn,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn things_to_do_are_told_apart() {
        for (intent, expected) in [
            ("close issue 7", &["close issue 7"][..]),
            (
                "find the open bug reports, label them needs-triage and assign them to kim",
                &[
                    "find the open bug reports",
                    "label them needs-triage",
                    "assign them to kim",
                ],
            ),
            (
                "Status: latest release, open PRs",
                &["Status", "list latest release", "list open PRs"],
            ),
            (
                "show release v1.2.0, then close the milestone.",
                &["show release v1.2.0", "close the milestone"],
            ),
            (
                "comment \"yes, and soon. Really\" and close it",
                &["comment \"yes, and soon. Really\"", "close it"],
            ),
            (
                "close issues 3, 4 and #5 in acme/rocket",
                &[
                    "close issues 3",
                    "close issues 4",
                    "close issues #5 in acme/rocket",
                ],
            ),
            (
                "close issue 5 with a note that it is done",
                &["close issue 5", "with a note that it is done"],
            ),
            ("close 3, with #5", &["close 3", "with #5"]),
            (
                "open an issue \"leak\", \"it leaks\"",
                &["open an issue \"leak\"", "\"it leaks\""],
            ),
            ("a 5\" screen, and more", &["a 5\" screen", "more"]),
            ("", &[]),
            ("and, then.", &[]),
        ] {
            let found: Vec<_> = clauses(intent).into_iter().map(|it| it.text).collect();
            assert_eq!(found, expected, "{intent}");
        }
    }

    #[test]
    fn what_comes_first_is_told() {
        for (intent, expected) in [
            ("merge it and close it", &[0, 0][..]),
            ("approve it, then merge and tell kim", &[0, 1, 1]),
            ("approve it. Merge it.", &[0, 1]),
            ("merge it after approving it", &[1, 0]),
            ("look at it, then merge it once ci is green", &[0, 2, 1]),
            ("after approving it, merge it", &[0, 1]),
            ("before merging it, look at ci and approve it", &[1, 0, 0]),
            ("approve it before merging it", &[0, 1]),
            ("before", &[]),
        ] {
            let found: Vec<_> = clauses(intent).into_iter().map(|it| it.turn).collect();
            let mut turns = found.clone();
            turns.sort_unstable();
            turns.dedup();
            let rank = |turn: &usize| turns.binary_search(turn).unwrap_or_default();
            let ranks: Vec<_> = found.iter().map(rank).collect();
            assert_eq!(ranks, expected, "{intent}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_asked_is_cut(intent in any::<String>()) {
            prop_assert!(clauses(&intent).len() <= intent.len());
        }

        #[test]
        fn nothing_is_lost(
            words in proptest::collection::vec("(do|it|and|then|after|before|once|a,|b\\.|\"q|r\")", 0..12)
        ) {
            let intent = words.join(" ");
            let split = split(&intent);
            let mut placed: Vec<usize> = split.turns.iter().flatten().copied().collect();
            placed.sort_unstable();
            prop_assert_eq!(placed, (0..split.texts.len()).collect::<Vec<_>>());
        }
    }
}
