//! Recognizes negations among the words of a clause.

use super::detection::{Negation, NegationCondition, NegationScope};
use super::kept_states::{KEEP_VERBS, KEPT_STATES};
use super::lists::{
    ACTION_INTRODUCERS, ACTION_NOUNS, ARTICLES, ATTRIBUTES, AUXILIARIES, COPULAS, FILLERS, FOREIGN,
    FOREIGN_PARTS, LEADING_FILLERS, NEAR, NO_PHRASES, PREVENTING_VERBS, SUBORDINATORS, UNADVISABLE,
    UNIVERSAL_WORDS, WEAK_READ_VERBS, is_contraction, is_gerund, is_participle,
    is_participle_of_write,
};
use crate::discovery::suggest::vocabulary::{VerbKind, is_noun_of_any_domain, verb_kind};

/// The words of a clause, with access to their neighbours.
pub(super) struct NegationReader<'a> {
    pub(super) tokens: &'a [String],
}

impl NegationReader<'_> {
    /// Returns the negation that starts at a word.
    pub(super) fn at(&self, index: usize) -> Option<Negation> {
        self.auxiliary(index)
            .or_else(|| self.not(index))
            .or_else(|| self.never(index))
            .or_else(|| self.without(index))
            .or_else(|| self.no(index))
            .or_else(|| self.nobody(index))
            .or_else(|| self.exception(index))
            .or_else(|| self.preventing_verb(index))
            .or_else(|| self.advice(index))
            .or_else(|| self.keeping(index))
            .or_else(|| self.foreign(index))
    }

    /// Matches `do not`, `don't`, `must never`, `cannot`.
    fn auxiliary(&self, index: usize) -> Option<Negation> {
        let (word, next) = (self.get(index), self.get(index + 1));
        let length = if is_contraction(word) {
            1
        } else if AUXILIARIES.contains(&word) && ["not", "never", "n't", "nt"].contains(&next) {
            2
        } else {
            return None;
        };
        let verb = self.skip_fillers(index + length);
        if self.is_reminder(verb) || self.is_double_negation(verb) || self.is_polite_question(index)
        {
            return None;
        }
        let is_description = self.follows_read_verb(index)
            && (self.follows_relative_pronoun(index)
                || self.follows_personal_pronoun(index)
                || verb_kind(self.get(verb)) != Some(VerbKind::Write));
        Some(self.negation(index, length, is_description))
    }

    /// Matches `not merge`, `not to merge`, `is not closed`, `not issue 4`.
    fn not(&self, index: usize) -> Option<Negation> {
        if self.get(index) != "not" || self.is_negated_auxiliary(index) {
            return None;
        }
        let following = self.skip_fillers(index + 1);
        let next = self.get(following);
        if ["only", "planned"].contains(&next) || self.is_reminder(following) {
            return None;
        }
        let is_copula = index > 0 && COPULAS.contains(&self.get(index - 1));
        let start = index - usize::from(is_copula);
        let is_order = next == "to" || self.is_action(following);
        let is_description =
            self.follows_read_verb(index) && (!is_order || self.follows_relative_pronoun(index));
        let negation = self.negation(start, index - start + 1, is_description);
        let is_state = !is_copula && !is_order && is_participle(next);
        Some(if is_state && !is_description {
            Negation {
                condition: NegationCondition::IfHitReaches(next.to_owned()),
                scope: NegationScope::Clause,
                ..negation
            }
        } else {
            negation
        })
    }

    fn never(&self, index: usize) -> Option<Negation> {
        if self.get(index) != "never" || self.is_negated_auxiliary(index) {
            return None;
        }
        let verb = self.skip_fillers(index + 1);
        if self.is_reminder(verb) {
            return None;
        }
        let is_description = self.follows_read_verb(index)
            && (self.follows_relative_pronoun(index) || !self.is_action(verb));
        Some(self.negation(index, 1, is_description))
    }

    /// Matches `without merging`. `issues without labels` is a description.
    fn without(&self, index: usize) -> Option<Negation> {
        let is_it = ["without", "w/o", "sans"].contains(&self.get(index));
        let verb = self.skip_fillers(index + 1);
        let looks = self.follows_read_verb(index) && !is_gerund(self.get(verb));
        (is_it && !looks && self.is_action(verb)).then(|| Negation {
            scope: NegationScope::Conjunction,
            ..self.unconditional(index, 1)
        })
    }

    /// Matches `no need to`, `no longer`, `no merging`. `with no assignee` is a description, `issue no 12` is
    /// a number.
    fn no(&self, index: usize) -> Option<Negation> {
        let word = self.get(index);
        if ["nope", "nah"].contains(&word) || (word == "no" && self.tokens.len() == 1) {
            return Some(Negation {
                scope: NegationScope::Clause,
                ..self.unconditional(index, 1)
            });
        }
        if word != "no" {
            return None;
        }
        let next = self.get(index + 1);
        if NO_PHRASES.contains(&next) {
            let is_description = self.follows_read_verb(index);
            return Some(self.negation(index, 2, is_description));
        }
        let following = self.skip_fillers(index + 1);
        let before = index.checked_sub(1).map_or("", |before| self.get(before));
        let has = ["with", "have", "has", "having", "had"].contains(&before);
        let is_attribute = has || self.follows_read_verb(index);
        let is_negated = if is_attribute {
            is_gerund(self.get(following))
                || (self.is_action(following) && !ATTRIBUTES.contains(&self.get(following)))
        } else {
            self.is_action(following)
        };
        is_negated.then(|| self.unconditional(index, 1))
    }

    /// Matches `nobody should merge it`, `neither close nor merge`. `assigned to nobody` is a description.
    fn nobody(&self, index: usize) -> Option<Negation> {
        let word = self.get(index);
        let length = match (word, self.get(index + 1)) {
            ("no", "one") => 2,
            ("nobody" | "noone" | "no-one" | "none" | "nothing" | "neither" | "nor", _) => 1,
            _ => return None,
        };
        let before = index.checked_sub(1).map_or("", |before| self.get(before));
        if ["to", "by", "with", "for"].contains(&before) {
            return None;
        }
        let is_description = self.follows_read_verb(index);
        Some(self.negation(index, length, is_description))
    }

    /// Matches `instead of closing it`, `except issue 3`, `all but 3`.
    fn exception(&self, index: usize) -> Option<Negation> {
        let (word, next) = (self.get(index), self.get(index + 1));
        let length = match (word, next) {
            ("instead" | "lieu", "of")
            | ("rather" | "other", "than")
            | ("apart" | "aside", "from")
            | ("opposed", "to")
            | ("but", "for") => 2,
            (
                "except" | "excepting" | "excluding" | "exclude" | "unless" | "lest" | "barring",
                _,
            ) => 1,
            ("but", _) => {
                let mut before = self.tokens[..index].iter();
                let all = before.any(|token| UNIVERSAL_WORDS.contains(&token.as_str()));
                let following = self.skip_fillers(index + 1);
                let continues_previous = following >= self.tokens.len()
                    || verb_kind(self.get(following)).is_some()
                    || self.at(following).is_some();
                // A clause that starts with "but" was cut off the words it excepts from.
                if !(all || index == 0) || continues_previous {
                    return None;
                }
                1
            }
            _ => return None,
        };
        Some(Negation {
            scope: NegationScope::Conjunction,
            ..self.unconditional(index, length)
        })
    }

    /// Matches `prevent closing it`, `cancel the merge`, `stop them from merging`.
    fn preventing_verb(&self, index: usize) -> Option<Negation> {
        let word = self.get(index);
        if !PREVENTING_VERBS.contains(&word) {
            return None;
        }
        let near = (index + 1..self.tokens.len()).take(NEAR);
        let mut near = near.take_while(|at| !self.get(*at).is_empty());
        let prevented = near.find(|at| self.is_prevented(index, *at))?;
        let is_description = self.follows_read_verb(index);
        let negation = self.negation(index, prevented - index, is_description);
        Some(if is_description {
            negation
        } else {
            Negation {
                condition: NegationCondition::UnlessHitDoes(word.to_owned()),
                ..negation
            }
        })
    }

    /// Returns whether a word is the object of a preventing verb: `prevent closing`, `cancel the merge`.
    fn is_prevented(&self, verb: usize, index: usize) -> bool {
        let word = self.get(index);
        let is_led_in = index == verb + 1 || ACTION_INTRODUCERS.contains(&self.get(index - 1));
        is_gerund(word) || ACTION_NOUNS.contains(&word) || (is_led_in && self.is_action(index))
    }

    /// Matches `against merging`, `too early to merge`, `unsafe to merge`.
    fn advice(&self, index: usize) -> Option<Negation> {
        let (word, next) = (self.get(index), self.get(index + 1));
        let is_too = word == "too" && self.get(index + 2) == "to" && self.is_action(index + 3);
        let is_against = word == "against" && self.is_action(self.skip_fillers(index + 1));
        let is_bad = UNADVISABLE.contains(&word) && (next == "to" || self.is_action(index + 1));
        (is_too || is_against || is_bad).then(|| self.unconditional(index, 1))
    }

    /// Matches `keep it open`, `leave the pull request unmerged`, `issue 3 stays open`.
    fn keeping(&self, index: usize) -> Option<Negation> {
        let is_negated = index > 0 && {
            let before = self.get(index - 1);
            ["not", "never"].contains(&before) || is_contraction(before)
        };
        if is_negated {
            return None;
        }
        let state = self.find_kept_state(index)?;
        Some(Negation {
            scope: NegationScope::Clause,
            kept_state: Some(self.get(state).to_owned()),
            ..self.unconditional(index, state - index + 1)
        })
    }

    /// Returns the index of the state to be kept.
    fn find_kept_state(&self, index: usize) -> Option<usize> {
        if !KEEP_VERBS.contains(&self.get(index)) || self.follows_read_verb(index) {
            return None;
        }
        let is_state = |at: &usize| {
            let (word, next) = (self.get(*at), self.get(at + 1));
            let as_it_is = word == "as" && ["is", "it", "they"].contains(&next);
            as_it_is || (KEPT_STATES.contains(&word) && !is_noun_of_any_domain(next))
        };
        (index + 1..self.tokens.len()).find(is_state)
    }

    /// Matches negations of other languages, which are otherwise not understood.
    fn foreign(&self, index: usize) -> Option<Negation> {
        let word = self.get(index);
        let is_it = FOREIGN.contains(&word) || FOREIGN_PARTS.iter().any(|part| word.contains(part));
        is_it.then(|| self.unconditional(index, 1))
    }

    fn negation(&self, start: usize, length: usize, is_description: bool) -> Negation {
        if is_description {
            Negation {
                condition: NegationCondition::IfHitWrites,
                scope: NegationScope::Clause,
                ..self.unconditional(start, length)
            }
        } else {
            self.unconditional(start, length)
        }
    }

    fn unconditional(&self, start: usize, length: usize) -> Negation {
        Negation {
            start,
            length,
            condition: NegationCondition::Always,
            scope: NegationScope::Sentence,
            kept_state: None,
        }
    }

    /// Returns a word, or an empty text after the last one.
    fn get(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", String::as_str)
    }

    /// Returns the index of the first word that is no filler: `not yet to merge`.
    fn skip_fillers(&self, index: usize) -> usize {
        let rest = self.tokens.iter().skip(index);
        let fillers = rest.take_while(|token| LEADING_FILLERS.contains(&token.as_str()));
        index + fillers.count()
    }

    /// Returns whether it is a reminder: `do not forget to close it` orders to close it.
    fn is_reminder(&self, verb: usize) -> bool {
        let is_forgotten =
            ["fail", "forget", "hesitate", "neglect", "omit"].contains(&self.get(verb));
        is_forgotten && self.get(verb + 1) == "to"
    }

    /// Returns whether two negations cancel each other: `do not leave it open` orders to close it. Neither of
    /// them can be read alone.
    fn is_double_negation(&self, verb: usize) -> bool {
        self.find_kept_state(verb).is_some()
    }

    /// Returns whether it is a polite request: `can't you close it?`
    fn is_polite_question(&self, index: usize) -> bool {
        let asks = ["can't", "cant", "couldn't", "couldnt", "won't", "wouldn't"];
        asks.contains(&self.get(index)) && self.get(index + 1) == "you"
    }

    /// Returns whether a negation gives a reason or describes a situation, and so negates no order: `because
    /// we never got an answer`, `it is no longer needed`.
    pub(super) fn is_remark(&self, negation: &Negation) -> bool {
        let is_statement = negation.scope == NegationScope::Sentence && negation.is_unconditional();
        let first = self.get(negation.start);
        let is_foreign =
            FOREIGN.contains(&first) || FOREIGN_PARTS.iter().any(|it| first.contains(it));
        let is_advice = UNADVISABLE.contains(&first) || ["too", "against"].contains(&first);
        if !is_statement || is_foreign || is_advice || self.has_action_from(negation.end()) {
            return false;
        }
        let before = &self.tokens[..negation.start];
        let is_reason = before.iter().any(|it| SUBORDINATORS.contains(&it.as_str()));
        let following = &self.tokens[negation.end().min(self.tokens.len())..];
        let retracts_previous = following.iter().all(|it| FILLERS.contains(&it.as_str()));
        let says_which = |token: &String| {
            token
                .chars()
                .any(|c| c.is_ascii_digit() || "#@/".contains(c))
        };
        let names_nothing = !self.tokens.iter().any(says_which);
        is_reason || (!retracts_previous && names_nothing && !self.has_action_from(0))
    }

    /// Returns whether a word at or after an index names an action.
    pub(super) fn has_action_from(&self, index: usize) -> bool {
        let is_action_word = |at: usize| {
            let word = self.get(at);
            ACTION_NOUNS.contains(&word) || is_gerund(word) || is_participle_of_write(word)
        };
        // After an article it is a noun: `an answer`.
        let is_thing = |at: usize| at > 0 && ARTICLES.contains(&self.get(at - 1));
        (index..self.tokens.len())
            .any(|at| is_action_word(at) || (self.is_action(at) && !is_thing(at)))
    }

    /// Returns whether `not` or `never` belongs to the auxiliary before it.
    fn is_negated_auxiliary(&self, index: usize) -> bool {
        index > 0 && AUXILIARIES.contains(&self.get(index - 1))
    }

    /// Returns whether a read verb comes before, so that what follows is a description.
    fn follows_read_verb(&self, index: usize) -> bool {
        let looks = |token: &String| {
            verb_kind(token) == Some(VerbKind::Read) && !WEAK_READ_VERBS.contains(&token.as_str())
        };
        self.tokens[..index].iter().any(looks)
    }

    fn follows_relative_pronoun(&self, index: usize) -> bool {
        let before = self.tokens[..index].iter();
        let mut before = before.map(String::as_str);
        before.any(|token| ["that", "which", "who", "whom", "whose", "where"].contains(&token))
    }

    /// Returns whether a pronoun comes directly before: `the issues I did not create`.
    fn follows_personal_pronoun(&self, index: usize) -> bool {
        let before = index.checked_sub(1).map_or("", |before| self.get(before));
        ["i", "we", "you", "he", "she", "they"].contains(&before)
    }

    /// Returns whether a word names an action, as an order or as a noun: `merge`, `merging`, `closing`.
    fn is_action(&self, index: usize) -> bool {
        let word = self.get(index);
        let is_state = word == "open" && !ARTICLES.contains(&self.get(index + 1));
        (verb_kind(word) == Some(VerbKind::Write) && !is_state) || is_gerund(word)
    }
}
