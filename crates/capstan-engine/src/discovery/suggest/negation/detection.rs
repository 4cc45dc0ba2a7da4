//! Negations, the conditions under which they apply, and their scope.

use capstan_core::card::Operation;

use super::kept_states::is_ended_by;
use super::lists::{FILLERS, is_state_after};
use super::reader::NegationReader;
use crate::discovery::find::Hit;
use crate::discovery::suggest::quotes::words;

/// Words of a clause that negate what it would order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::discovery::suggest) struct Negation {
    /// The index of its first word.
    pub(in crate::discovery::suggest) start: usize,
    /// The minimum number of its words.
    pub(super) length: usize,
    pub(super) condition: NegationCondition,
    pub(in crate::discovery::suggest) scope: NegationScope,
    /// The state to be kept: `open` in `keep it open`.
    pub(super) kept_state: Option<String>,
}

/// The condition under which a negation applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NegationCondition {
    /// It applies whatever capability fits.
    Always,
    /// `cancel the merge` negates a merge, unless the capability that fits is named by this verb.
    UnlessHitDoes(String),
    /// `mark it as not resolved` negates only a capability that leads to this state.
    IfHitReaches(String),
    /// `list the issues that are not closed` describes what is listed, and negates only writes.
    IfHitWrites,
}

/// How far a negation extends beyond its own clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discovery::suggest) enum NegationScope {
    /// `keep it open and comment`: only its own clause.
    Clause,
    /// `instead of closing and merging it, comment`: also the clauses joined by a conjunction.
    Conjunction,
    /// `do not approve it, merge it or close it`: to the end of the sentence, or to a contrast.
    Sentence,
}

impl Negation {
    /// Returns the index of the first word after it.
    pub(in crate::discovery::suggest) fn end(&self) -> usize {
        self.start + self.length.max(1)
    }

    /// Returns whether it applies regardless of the capability that fits.
    pub(in crate::discovery::suggest) fn is_unconditional(&self) -> bool {
        self.condition == NegationCondition::Always
    }

    /// Returns whether it only describes what is read: "which issues do not have a label" asks for no write.
    pub(in crate::discovery::suggest) fn is_description(&self) -> bool {
        self.condition == NegationCondition::IfHitWrites
    }

    /// Returns whether it negates a capability.
    pub(in crate::discovery::suggest) fn applies_to(&self, hit: &Hit) -> bool {
        let has = |is: &dyn Fn(&str) -> bool| {
            let mut parts = hit.id.split(|c: char| !c.is_alphanumeric());
            parts.any(|part| is(&part.to_lowercase()))
        };
        match &self.condition {
            NegationCondition::Always => true,
            NegationCondition::UnlessHitDoes(verb) => !has(&|part| part == verb),
            NegationCondition::IfHitReaches(state) => has(&|part| is_state_after(state, part)),
            NegationCondition::IfHitWrites => hit.operation == Operation::Write,
        }
    }

    /// Returns whether it names nothing new, so that it negates what was said before: `close issue 3? never!`
    pub(in crate::discovery::suggest) fn retracts_previous(&self, text: &str) -> bool {
        let tokens = tokens(text);
        let mut rest = tokens.iter().skip(self.end());
        rest.all(|token| FILLERS.contains(&token.as_str()))
    }

    /// Returns whether it judges the clause directly before it: `merge pr 7` `is not allowed`.
    pub(in crate::discovery::suggest) fn judges_previous_clause(&self, text: &str) -> bool {
        let tokens = tokens(text);
        let reader = NegationReader { tokens: &tokens };
        self.is_unconditional()
            && self.scope == NegationScope::Sentence
            && !reader.has_action_from(self.end())
    }

    /// Returns whether a capability would end the state to be kept.
    pub(in crate::discovery::suggest) fn forbids(&self, id: &str, writes: bool) -> bool {
        let kept_state = self.kept_state.as_deref();
        kept_state.is_some_and(|state| is_ended_by(state, id, writes))
    }
}

/// Returns the first negation of a text at or after a word index. Remarks are skipped.
pub(in crate::discovery::suggest) fn find_negation(text: &str, from: usize) -> Option<Negation> {
    let tokens = tokens(text);
    let reader = NegationReader { tokens: &tokens };
    let found = (from..tokens.len()).filter_map(|index| reader.at(index));
    found.into_iter().find(|it| !reader.is_remark(it))
}

/// Returns the first negation of a text that was separated from the words before it. Whether it is a remark
/// cannot be decided without them.
pub(in crate::discovery::suggest) fn find_negation_in_fragment(text: &str) -> Option<Negation> {
    let tokens = tokens(text);
    let reader = NegationReader { tokens: &tokens };
    (0..tokens.len()).find_map(|index| reader.at(index))
}

/// Returns whether a text contains negations that only give a reason or describe a situation.
pub(in crate::discovery::suggest) fn is_remark(text: &str) -> bool {
    let tokens = tokens(text);
    let reader = NegationReader { tokens: &tokens };
    let mut found = (0..tokens.len()).filter_map(|index| reader.at(index));
    found.any(|it| reader.is_remark(&it)) && find_negation(text, 0).is_none()
}

/// Returns whether a word ends the scope of an earlier negation: `do not merge it, just comment`.
pub(in crate::discovery::suggest) fn is_contrast(word: &str) -> bool {
    ["but", "instead", "just", "only", "rather", "simply", "yet"].contains(&token(word).as_str())
}

/// Returns the words of a text in lower case, with one kind of apostrophe and without punctuation around
/// them. Quoted words are empty: they negate nothing.
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
