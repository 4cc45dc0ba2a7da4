//! Finds the negations among the words of a part.

use super::found::{Certainty, Negation, Reach};
use super::lists::{
    ACTS, ALL, ARTICLES, ATTRIBUTES, AUXILIARIES, COPULAS, FILLERS, FOREIGN, FOREIGN_PARTS,
    LEADING_FILLERS, LEADS_TO_ACTIONS, NEAR, NEEDS, NO_LOOK, PREVENTING, SUBORDINATORS,
    UNADVISABLE, is_contraction, is_done, is_gerund, is_participle,
};
use super::staying::{STAYING, STAYS};
use crate::discovery::suggest::words::{Doing, done_by, is_noun_of_any_domain};

/// The words of a part, with what stands around each of them.
pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [String],
}

impl Reader<'_> {
    /// The negation that begins with a word.
    pub(super) fn at(&self, place: usize) -> Option<Negation> {
        self.auxiliary(place)
            .or_else(|| self.not(place))
            .or_else(|| self.never(place))
            .or_else(|| self.without(place))
            .or_else(|| self.no(place))
            .or_else(|| self.nobody(place))
            .or_else(|| self.exception(place))
            .or_else(|| self.preventing_verb(place))
            .or_else(|| self.advice(place))
            .or_else(|| self.staying(place))
            .or_else(|| self.foreign(place))
    }

    /// `do not`, `don't`, `must never`, `cannot`
    fn auxiliary(&self, place: usize) -> Option<Negation> {
        let (word, next) = (self.get(place), self.get(place + 1));
        let length = if is_contraction(word) {
            1
        } else if AUXILIARIES.contains(&word) && ["not", "never", "n't", "nt"].contains(&next) {
            2
        } else {
            return None;
        };
        let verb = self.behind_fillers(place + length);
        if self.is_affirmed(verb) || self.is_double(verb) || self.is_polite(place) {
            return None;
        }
        let describes = self.is_after_looking(place)
            && (self.is_after_relative(place)
                || self.is_after_pronoun(place)
                || done_by(self.get(verb)) != Some(Doing::Changing));
        Some(self.negation(place, length, describes))
    }

    /// `not merge`, `not to merge`, `is not closed`, `not issue 4`
    fn not(&self, place: usize) -> Option<Negation> {
        if self.get(place) != "not" || self.is_negated_auxiliary(place) {
            return None;
        }
        let behind = self.behind_fillers(place + 1);
        let next = self.get(behind);
        if ["only", "planned"].contains(&next) || self.is_affirmed(behind) {
            return None;
        }
        let is_copula = place > 0 && COPULAS.contains(&self.get(place - 1));
        let start = place - usize::from(is_copula);
        let is_order = next == "to" || self.is_action(behind);
        let describes =
            self.is_after_looking(place) && (!is_order || self.is_after_relative(place));
        let negation = self.negation(start, place - start + 1, describes);
        let is_state = !is_copula && !is_order && is_participle(next);
        Some(if is_state && !describes {
            Negation {
                certainty: Certainty::IfItReaches(next.to_owned()),
                reach: Reach::Part,
                ..negation
            }
        } else {
            negation
        })
    }

    fn never(&self, place: usize) -> Option<Negation> {
        if self.get(place) != "never" || self.is_negated_auxiliary(place) {
            return None;
        }
        let verb = self.behind_fillers(place + 1);
        if self.is_affirmed(verb) {
            return None;
        }
        let describes = self.is_after_looking(place)
            && (self.is_after_relative(place) || !self.is_action(verb));
        Some(self.negation(place, 1, describes))
    }

    /// `without merging`; `issues without labels` describes.
    fn without(&self, place: usize) -> Option<Negation> {
        let is_it = ["without", "w/o", "sans"].contains(&self.get(place));
        let verb = self.behind_fillers(place + 1);
        let looks = self.is_after_looking(place) && !is_gerund(self.get(verb));
        (is_it && !looks && self.is_action(verb)).then(|| Negation {
            reach: Reach::Conjunction,
            ..self.firm(place, 1)
        })
    }

    /// `no need to`, `no longer`, `no merging`; `with no assignee` describes, `issue no 12` is a number.
    fn no(&self, place: usize) -> Option<Negation> {
        let word = self.get(place);
        if ["nope", "nah"].contains(&word) || (word == "no" && self.tokens.len() == 1) {
            return Some(Negation {
                reach: Reach::Part,
                ..self.firm(place, 1)
            });
        }
        if word != "no" {
            return None;
        }
        let next = self.get(place + 1);
        if NEEDS.contains(&next) {
            let describes = self.is_after_looking(place);
            return Some(self.negation(place, 2, describes));
        }
        let behind = self.behind_fillers(place + 1);
        let before = place.checked_sub(1).map_or("", |before| self.get(before));
        let has = ["with", "have", "has", "having", "had"].contains(&before);
        let is_attribute = has || self.is_after_looking(place);
        let is_negated = if is_attribute {
            is_gerund(self.get(behind))
                || (self.is_action(behind) && !ATTRIBUTES.contains(&self.get(behind)))
        } else {
            self.is_action(behind)
        };
        is_negated.then(|| self.firm(place, 1))
    }

    /// `nobody should merge it`, `neither close nor merge`; `assigned to nobody` describes.
    fn nobody(&self, place: usize) -> Option<Negation> {
        let word = self.get(place);
        let length = match (word, self.get(place + 1)) {
            ("no", "one") => 2,
            ("nobody" | "noone" | "no-one" | "none" | "nothing" | "neither" | "nor", _) => 1,
            _ => return None,
        };
        let before = place.checked_sub(1).map_or("", |before| self.get(before));
        if ["to", "by", "with", "for"].contains(&before) {
            return None;
        }
        let describes = self.is_after_looking(place);
        Some(self.negation(place, length, describes))
    }

    /// `instead of closing it`, `except issue 3`, `all but 3`
    fn exception(&self, place: usize) -> Option<Negation> {
        let (word, next) = (self.get(place), self.get(place + 1));
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
                let mut before = self.tokens[..place].iter();
                let all = before.any(|token| ALL.contains(&token.as_str()));
                let behind = self.behind_fillers(place + 1);
                let goes_on = behind >= self.tokens.len()
                    || done_by(self.get(behind)).is_some()
                    || self.at(behind).is_some();
                // What a part begins with was cut from what is excepted from.
                if !(all || place == 0) || goes_on {
                    return None;
                }
                1
            }
            _ => return None,
        };
        Some(Negation {
            reach: Reach::Conjunction,
            ..self.firm(place, length)
        })
    }

    /// `prevent closing it`, `cancel the merge`, `stop them from merging`
    fn preventing_verb(&self, place: usize) -> Option<Negation> {
        let word = self.get(place);
        if !PREVENTING.contains(&word) {
            return None;
        }
        let near = (place + 1..self.tokens.len()).take(NEAR);
        let mut near = near.take_while(|at| !self.get(*at).is_empty());
        let prevented = near.find(|at| self.is_prevented(place, *at))?;
        let describes = self.is_after_looking(place);
        let negation = self.negation(place, prevented - place, describes);
        Some(if describes {
            negation
        } else {
            Negation {
                certainty: Certainty::UnlessItDoes(word.to_owned()),
                ..negation
            }
        })
    }

    /// Whether a word is what a preventing verb is about: `prevent closing`, `cancel the merge`.
    fn is_prevented(&self, verb: usize, place: usize) -> bool {
        let word = self.get(place);
        let is_led_in = place == verb + 1 || LEADS_TO_ACTIONS.contains(&self.get(place - 1));
        is_gerund(word) || ACTS.contains(&word) || (is_led_in && self.is_action(place))
    }

    /// `against merging`, `too early to merge`, `unsafe to merge`
    fn advice(&self, place: usize) -> Option<Negation> {
        let (word, next) = (self.get(place), self.get(place + 1));
        let is_too = word == "too" && self.get(place + 2) == "to" && self.is_action(place + 3);
        let is_against = word == "against" && self.is_action(self.behind_fillers(place + 1));
        let is_bad = UNADVISABLE.contains(&word) && (next == "to" || self.is_action(place + 1));
        (is_too || is_against || is_bad).then(|| self.firm(place, 1))
    }

    /// `keep it open`, `leave the pull request unmerged`, `issue 3 stays open`
    fn staying(&self, place: usize) -> Option<Negation> {
        let is_negated = place > 0 && {
            let before = self.get(place - 1);
            ["not", "never"].contains(&before) || is_contraction(before)
        };
        if is_negated {
            return None;
        }
        let state = self.kept_state(place)?;
        Some(Negation {
            reach: Reach::Part,
            kept: Some(self.get(state).to_owned()),
            ..self.firm(place, state - place + 1)
        })
    }

    /// Where the state stands that something is to stay in.
    fn kept_state(&self, place: usize) -> Option<usize> {
        if !STAYING.contains(&self.get(place)) || self.is_after_looking(place) {
            return None;
        }
        let is_state = |at: &usize| {
            let (word, next) = (self.get(*at), self.get(at + 1));
            let as_it_is = word == "as" && ["is", "it", "they"].contains(&next);
            as_it_is || (STAYS.contains(&word) && !is_noun_of_any_domain(next))
        };
        (place + 1..self.tokens.len()).find(is_state)
    }

    /// Other languages are not understood; that they negate can be seen.
    fn foreign(&self, place: usize) -> Option<Negation> {
        let word = self.get(place);
        let is_it = FOREIGN.contains(&word) || FOREIGN_PARTS.iter().any(|part| word.contains(part));
        is_it.then(|| self.firm(place, 1))
    }

    fn negation(&self, start: usize, length: usize, describes: bool) -> Negation {
        if describes {
            Negation {
                certainty: Certainty::IfItWrites,
                reach: Reach::Part,
                ..self.firm(start, length)
            }
        } else {
            self.firm(start, length)
        }
    }

    fn firm(&self, start: usize, length: usize) -> Negation {
        Negation {
            start,
            length,
            certainty: Certainty::Firm,
            reach: Reach::Sentence,
            kept: None,
        }
    }

    /// The word, or nothing behind the last one.
    fn get(&self, place: usize) -> &str {
        self.tokens.get(place).map_or("", String::as_str)
    }

    /// The first word that is no filler: `not yet to merge`.
    fn behind_fillers(&self, place: usize) -> usize {
        let rest = self.tokens.iter().skip(place);
        let fillers = rest.take_while(|token| LEADING_FILLERS.contains(&token.as_str()));
        place + fillers.count()
    }

    /// `do not forget to close it` orders to close it.
    fn is_affirmed(&self, verb: usize) -> bool {
        let is_forgotten =
            ["fail", "forget", "hesitate", "neglect", "omit"].contains(&self.get(verb));
        is_forgotten && self.get(verb + 1) == "to"
    }

    /// `do not leave it open` orders what ends it: neither of the two negations can be read by itself.
    fn is_double(&self, verb: usize) -> bool {
        self.kept_state(verb).is_some()
    }

    /// `can't you close it?` is a question that nobody answers with no.
    fn is_polite(&self, place: usize) -> bool {
        let asks = ["can't", "cant", "couldn't", "couldnt", "won't", "wouldn't"];
        asks.contains(&self.get(place)) && self.get(place + 1) == "you"
    }

    /// Whether a negation belongs to a reason or tells how things are, and so negates no order: `because we never
    /// got an answer`, `it is no longer needed`.
    pub(super) fn is_remark(&self, negation: &Negation) -> bool {
        let is_statement = negation.reach == Reach::Sentence && negation.is_firm();
        let first = self.get(negation.start);
        let is_foreign =
            FOREIGN.contains(&first) || FOREIGN_PARTS.iter().any(|it| first.contains(it));
        let is_advice = UNADVISABLE.contains(&first) || ["too", "against"].contains(&first);
        if !is_statement || is_foreign || is_advice || self.has_action_behind(negation.end()) {
            return false;
        }
        let before = &self.tokens[..negation.start];
        let is_reason = before.iter().any(|it| SUBORDINATORS.contains(&it.as_str()));
        let behind = &self.tokens[negation.end().min(self.tokens.len())..];
        let is_bare = behind.iter().all(|it| FILLERS.contains(&it.as_str()));
        let says_which = |token: &String| {
            token
                .chars()
                .any(|c| c.is_ascii_digit() || "#@/".contains(c))
        };
        let names_nothing = !self.tokens.iter().any(says_which);
        is_reason || (!is_bare && names_nothing && !self.has_action_behind(0))
    }

    /// Whether a word at or behind a place says what is done.
    pub(super) fn has_action_behind(&self, place: usize) -> bool {
        let is_act = |at: usize| {
            let word = self.get(at);
            ACTS.contains(&word) || is_gerund(word) || is_done(word)
        };
        // `an answer` is a thing.
        let is_thing = |at: usize| at > 0 && ARTICLES.contains(&self.get(at - 1));
        (place..self.tokens.len()).any(|at| is_act(at) || (self.is_action(at) && !is_thing(at)))
    }

    /// Whether a `not` or `never` belongs to the auxiliary before it.
    fn is_negated_auxiliary(&self, place: usize) -> bool {
        place > 0 && AUXILIARIES.contains(&self.get(place - 1))
    }

    /// Whether something is looked at, and what follows describes it.
    fn is_after_looking(&self, place: usize) -> bool {
        let looks = |token: &String| {
            done_by(token) == Some(Doing::Looking) && !NO_LOOK.contains(&token.as_str())
        };
        self.tokens[..place].iter().any(looks)
    }

    fn is_after_relative(&self, place: usize) -> bool {
        let before = self.tokens[..place].iter();
        let mut before = before.map(String::as_str);
        before.any(|token| ["that", "which", "who", "whom", "whose", "where"].contains(&token))
    }

    /// `the issues I did not create`
    fn is_after_pronoun(&self, place: usize) -> bool {
        let before = place.checked_sub(1).map_or("", |before| self.get(before));
        ["i", "we", "you", "he", "she", "they"].contains(&before)
    }

    /// Whether a word says what is done, as an order or as a noun: `merge`, `merging`, `closing`.
    fn is_action(&self, place: usize) -> bool {
        let word = self.get(place);
        let is_state = word == "open" && !ARTICLES.contains(&self.get(place + 1));
        (done_by(word) == Some(Doing::Changing) && !is_state) || is_gerund(word)
    }
}
