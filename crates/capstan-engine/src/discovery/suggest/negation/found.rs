//! A negation, and how far it goes.

use capstan_core::card::Operation;

use super::lists::{FILLERS, is_state_after};
use super::reader::Reader;
use super::staying::is_undone_by;
use crate::discovery::find::Hit;
use crate::discovery::suggest::quotes::words;

/// Words of a part that negate what it would order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::discovery::suggest) struct Negation {
    /// The word with which it begins, counted from 0.
    pub(in crate::discovery::suggest) start: usize,
    /// How many words it has, at least.
    pub(super) length: usize,
    pub(super) certainty: Certainty,
    pub(in crate::discovery::suggest) reach: Reach,
    /// The state that something is to stay in: `keep it open`.
    pub(super) kept: Option<String>,
}

/// What a negation depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// On nothing.
    Firm,
    /// `cancel the merge` negates a merge, unless the capability that fits is one that cancels.
    UnlessItDoes(String),
    /// `mark it as not resolved` negates only what resolves.
    IfItReaches(String),
    /// `list the issues that are not closed` describes what is listed, and negates only what writes.
    IfItWrites,
}

/// How far a negation goes beyond its own part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discovery::suggest) enum Reach {
    /// `keep it open and comment`: not at all.
    Part,
    /// `instead of closing and merging it, comment`: to what is joined by a conjunction.
    Conjunction,
    /// `do not approve it, merge it or close it`: to the end of the sentence, or to a contrast.
    Sentence,
}

impl Negation {
    /// The first word behind it.
    pub(in crate::discovery::suggest) fn end(&self) -> usize {
        self.start + self.length.max(1)
    }

    /// Whether it can be told without knowing what capability fits.
    pub(in crate::discovery::suggest) fn is_firm(&self) -> bool {
        self.certainty == Certainty::Firm
    }

    /// Whether it only describes what is looked at: "which issues do not have a label" asks for nothing that writes.
    pub(in crate::discovery::suggest) fn describes(&self) -> bool {
        self.certainty == Certainty::IfItWrites
    }

    /// Whether it negates what fits best.
    pub(in crate::discovery::suggest) fn applies_to(&self, hit: &Hit) -> bool {
        let has = |is: &dyn Fn(&str) -> bool| {
            let mut parts = hit.id.split(|c: char| !c.is_alphanumeric());
            parts.any(|part| is(&part.to_lowercase()))
        };
        match &self.certainty {
            Certainty::Firm => true,
            Certainty::UnlessItDoes(verb) => !has(&|part| part == verb),
            Certainty::IfItReaches(state) => has(&|part| is_state_after(state, part)),
            Certainty::IfItWrites => hit.operation == Operation::Write,
        }
    }

    /// Whether nothing is said to be negated but what was said before: `close issue 3? never!`
    pub(in crate::discovery::suggest) fn is_bare(&self, text: &str) -> bool {
        let tokens = tokens(text);
        let mut rest = tokens.iter().skip(self.end());
        rest.all(|token| FILLERS.contains(&token.as_str()))
    }

    /// Whether it is a judgement on what stands directly before it: `merge pr 7` `is not allowed`.
    pub(in crate::discovery::suggest) fn judges_what_stands_before(&self, text: &str) -> bool {
        let tokens = tokens(text);
        let reader = Reader { tokens: &tokens };
        self.is_firm() && self.reach == Reach::Sentence && !reader.has_action_behind(self.end())
    }

    /// Whether a capability would end the state that something is to stay in.
    pub(in crate::discovery::suggest) fn keeps_from(&self, id: &str, writes: bool) -> bool {
        let kept = self.kept.as_deref();
        kept.is_some_and(|state| is_undone_by(state, id, writes))
    }
}

/// The first negation of a text at or behind a word.
pub(in crate::discovery::suggest) fn negation(text: &str, from: usize) -> Option<Negation> {
    let tokens = tokens(text);
    let reader = Reader { tokens: &tokens };
    let found = (from..tokens.len()).filter_map(|place| reader.at(place));
    found.into_iter().find(|it| !reader.is_remark(it))
}

/// The first negation of a text that was cut from what stands before it: whether it is a remark can no longer be told
/// from it alone.
pub(in crate::discovery::suggest) fn cut_negation(text: &str) -> Option<Negation> {
    let tokens = tokens(text);
    let reader = Reader { tokens: &tokens };
    (0..tokens.len()).find_map(|place| reader.at(place))
}

/// Whether a text has words of negation that only give a reason or tell how things are.
pub(in crate::discovery::suggest) fn is_remark(text: &str) -> bool {
    let tokens = tokens(text);
    let reader = Reader { tokens: &tokens };
    let mut found = (0..tokens.len()).filter_map(|place| reader.at(place));
    found.any(|it| reader.is_remark(&it)) && negation(text, 0).is_none()
}

/// Whether a word takes back a negation that was said before it: `do not merge it, just comment`.
pub(in crate::discovery::suggest) fn is_contrast(word: &str) -> bool {
    ["but", "instead", "just", "only", "rather", "simply", "yet"].contains(&token(word).as_str())
}

/// The words of a text in small letters, with one kind of apostrophe and without marks around them. What is
/// quoted is empty: it negates nothing.
fn tokens(text: &str) -> Vec<String> {
    let words = words(text).into_iter();
    let token = words.map(|word| {
        if word.is_quoted {
            String::new()
        } else {
            token(word.text)
        }
    });
    token.collect()
}

fn token(word: &str) -> String {
    let chars = word.chars().filter_map(|c| match c {
        '’' | '‘' | 'ʼ' | '´' | '`' | '′' => Some('\''),
        c if c.is_alphanumeric() || "'-/#@._".contains(c) => Some(c),
        _ => None,
    });
    let text: String = chars.flat_map(char::to_lowercase).collect();
    text.trim_matches(|c: char| "'-._/".contains(c)).to_owned()
}
