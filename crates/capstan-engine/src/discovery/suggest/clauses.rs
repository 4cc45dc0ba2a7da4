//! What somebody asks for, cut into the things to do: "find the open bugs, label them and tell kim" is
//! three of them.

use super::cover::{as_said, read};
use super::negation::{is_contrast, negation};
use super::quotes::{Word, outside_quotes, plain, words};
use super::said::{begins_with_value, without_values};
use super::words::is_list;

/// One thing to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) text: String,
    /// Its words, in small letters and without punctuation. What is quoted is a value, whatever it says.
    pub(super) words: Vec<String>,
    /// Nothing but "and" or a comma stands before it.
    pub(super) goes_on: bool,
    /// How it is joined to the one before it.
    pub(super) joint: Joint,
    /// When it is done. Of those with the same turn nobody said which is first.
    pub(super) turn: usize,
}

/// How a thing to do is joined to the one that was said before it: what is negated goes on across some joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Joint {
    /// It begins the intent or a sentence, or stands behind a semicolon or a colon.
    #[default]
    Start,
    Comma,
    /// Nothing stands between them: a negation begins.
    Negation,
    /// "and", "then", "before" …
    Conjunction,
    /// "but", "just", "instead".
    Contrast,
}

/// Cuts at punctuation, at conjunctions and before what is not to be done, but not inside quotes.
pub(super) fn clauses(intent: &str) -> Vec<Clause> {
    cut(intent).clauses()
}

/// The words between the things to do that say more than their order: `but`, `while`, `once`, and what joins nothing.
pub(super) fn unread_joints(intent: &str) -> Vec<String> {
    let words = words(intent);
    let last = words.len().saturating_sub(1);
    let joints = words.iter().enumerate().filter(|(place, word)| {
        let is_read = read(word.text).is_some() && *place < last;
        let is_mark = word.text.chars().all(|c| ENDS.contains(&c));
        match plain(word.text).as_str() {
            _ if word.is_quoted => false,
            // `close ! issue 3`
            _ if is_mark => read(word.text).is_none(),
            "but" | "once" | "while" => true,
            other => Conjunction::of(other).is_some() && !is_read,
        }
    });
    joints.map(|(_, word)| as_said(word.text)).collect()
}

fn cut(intent: &str) -> Cut<'_> {
    let mut cut = Cut::default();
    let words = words(intent);
    for (place, word) in words.iter().enumerate() {
        let conjunction = Conjunction::of(&plain(word.text));
        match conjunction.filter(|_| !word.is_quoted) {
            Some(conjunction) => {
                cut.end();
                cut.conjunction = cut.conjunction.max(conjunction);
                cut.joint = Joint::Conjunction;
            }
            None => {
                if is_with_a_note(&words[place..]) {
                    cut.end();
                }
                cut.take(*word);
            }
        }
    }
    cut.end_sentence();
    cut
}

/// "close it with a note that …" is to close it and to write a note.
fn is_with_a_note(words: &[Word<'_>]) -> bool {
    let [with, article, note, ..] = words else {
        return false;
    };
    let is = |word: &Word<'_>, all: &[&str]| !word.is_quoted && all.contains(&&*plain(word.text));
    is(with, &["with"])
        && is(article, &["a", "an", "the"])
        && is(
            note,
            &["comment", "explanation", "link", "message", "note", "reply"],
        )
}

/// How what follows stands to what was said before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Conjunction {
    #[default]
    And,
    Then,
    Before,
    After,
}

impl Conjunction {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "also" | "and" | "plus" | "while" => Self::And,
            "afterwards" | "finally" | "followed" | "next" | "then" => Self::Then,
            "before" => Self::Before,
            "after" | "once" => Self::After,
            _ => return None,
        })
    }
}

/// What was cut so far.
#[derive(Default)]
struct Cut<'a> {
    texts: Vec<String>,
    /// Which of them go on with what the one before says.
    goes_on: Vec<bool>,
    joints: Vec<Joint>,
    /// How the next one is joined to the last.
    joint: Joint,
    /// Which of them come together, in the order of their turns.
    turns: Vec<Vec<usize>>,
    /// The turn of the last one.
    last: usize,
    /// "Before X, Y": X, until the sentence is over.
    postponed: Vec<usize>,
    /// The next one begins a sentence, or comes after what one began with.
    is_new: bool,
    /// What the next one is led in by.
    conjunction: Conjunction,
    /// The words of the next one.
    open: Vec<&'a str>,
}

impl<'a> Cut<'a> {
    fn take(&mut self, word: Word<'a>) {
        // A full stop inside a word, as in `v1.2` or `issue.view`, is no end.
        let is_end = !word.is_open && word.text.ends_with(ENDS);
        self.open.push(match is_end {
            true => word.text.trim_end_matches(ENDS),
            false => word.text,
        });
        if is_end && word.text.ends_with(ENDS_OF_SENTENCES) {
            self.end_sentence();
        } else if is_end {
            self.end();
            self.joint = if word.text.ends_with(',') {
                Joint::Comma
            } else {
                Joint::Start
            };
        }
    }

    /// What was said since the last end is one thing to do, and what is not to be done is another.
    fn end(&mut self) {
        let text = std::mem::take(&mut self.open).join(" ");
        for (piece, joint) in at_negations(&text) {
            if !piece.is_empty() {
                self.add(piece, joint.unwrap_or(self.joint));
                self.joint = Joint::Comma;
            }
        }
    }

    fn add(&mut self, text: String, joint: Joint) {
        let first = words(&text).first().map(|word| is_contrast(word.text));
        let joint = if first == Some(true) {
            Joint::Contrast
        } else {
            joint
        };
        self.joints.push(joint);
        let place = self.texts.len();
        self.texts.push(text);
        let begins = self.turns.is_empty() || std::mem::take(&mut self.is_new);
        let conjunction = std::mem::take(&mut self.conjunction);
        self.goes_on
            .push(!begins && conjunction == Conjunction::And);
        match (begins, conjunction) {
            (true, Conjunction::Before) => {
                self.postponed.push(place);
                self.is_new = true;
            }
            (true, conjunction) => {
                self.turns.push(vec![place]);
                self.last = self.turns.len() - 1;
                self.is_new = conjunction == Conjunction::After;
            }
            (false, Conjunction::And) => self.turns[self.last].push(place),
            (false, Conjunction::Then | Conjunction::Before) => {
                self.last += 1;
                self.turns.insert(self.last, vec![place]);
            }
            (false, Conjunction::After) => {
                self.turns.insert(self.last, vec![place]);
                self.last += 1;
            }
        }
    }

    fn end_sentence(&mut self) {
        self.end();
        self.joint = Joint::Start;
        let postponed = std::mem::take(&mut self.postponed);
        self.turns
            .extend((!postponed.is_empty()).then_some(postponed));
        self.last = self.turns.len().saturating_sub(1);
        self.is_new = true;
    }

    fn clauses(self) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        for (place, text) in self.texts.into_iter().enumerate() {
            // "close issues 3, 4 and 5": what only names others is about the same. What is led in by "to" or
            // "from", or only quoted, is something else.
            let before = clauses.last().map(|it| without_values(&it.text));
            let only_names = begins_with_value(&text) && without_values(&text).is_empty();
            let before = before.filter(|it| !it.is_empty() && only_names);
            let text = match before {
                Some(before) => format!("{before} {text}"),
                None => text,
            };
            let turn = self.turns.iter().position(|turn| turn.contains(&place));
            let goes_on = self.goes_on.get(place).copied().unwrap_or_default();
            let joint = self.joints.get(place).copied().unwrap_or_default();
            let turn = turn.unwrap_or_default();
            clauses.push(Clause::new(&text, turn, goes_on, joint));
        }
        clauses
    }
}

/// Cuts a text at "but", and before what is surely not to be done: "approve it but do not merge it", "approve it
/// without merging it".
fn at_negations(text: &str) -> Vec<(String, Option<Joint>)> {
    let mut pieces = Vec::new();
    let mut rest = words(text);
    let mut joint = None;
    loop {
        let said = joined(&rest);
        let negated = first_firm_negation(&said);
        let is_but = |word: &Word<'_>| !word.is_quoted && plain(word.text) == "but";
        let but = rest.iter().skip(1).position(is_but).map(|place| place + 1);
        let cut = [negated.filter(|place| *place > 0), but];
        let Some(place) = cut.into_iter().flatten().min() else {
            pieces.push((said, joint));
            return pieces;
        };
        pieces.push((joined(&rest[..place]), joint));
        // "all but 3" says what is not meant; elsewhere "but" only joins.
        let joins = but == Some(place) && negated != Some(place);
        joint = Some(if joins {
            Joint::Contrast
        } else {
            Joint::Negation
        });
        rest = rest.split_off(place + usize::from(joins));
    }
}

/// The first word of what is surely not to be done.
fn first_firm_negation(text: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let found = negation(text, from)?;
        if found.is_firm() {
            return Some(found.start);
        }
        from = found.end();
    }
}

fn joined(words: &[Word<'_>]) -> String {
    let texts: Vec<_> = words.iter().map(|word| word.text).collect();
    texts.join(" ")
}

const ENDS: &[char] = &[',', ';', '.', ':', '!', '?'];

const ENDS_OF_SENTENCES: &[char] = &['.', '!', '?'];

impl Clause {
    fn new(text: &str, turn: usize, goes_on: bool, joint: Joint) -> Self {
        let words: Vec<String> = outside_quotes(text).into_iter().map(plain).collect();
        match is_list(&words) {
            true => Self {
                text: format!("list {text}"),
                words: ["list".to_owned()].into_iter().chain(words).collect(),
                goes_on,
                joint,
                turn,
            },
            false => Self {
                text: text.to_owned(),
                words,
                goes_on,
                joint,
                turn,
            },
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
            let cut = cut(&intent);
            let mut placed: Vec<usize> = cut.turns.iter().flatten().copied().collect();
            placed.sort_unstable();
            prop_assert_eq!(placed, (0..cut.texts.len()).collect::<Vec<_>>());
        }
    }
}
