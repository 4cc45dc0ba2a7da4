//! Words that say what not to do: `do not merge it`, `instead of closing it`, `keep it open`, `cancel the merge`.
//!
//! A plan has no step that keeps something from happening, so whoever negates is told which words were read as a
//! negation, and what they negate is never planned. Words that only describe things (`issues that are not closed`,
//! `with no assignee`, `as not planned`) negate no order. In doubt an intent counts as negated: a plan that is
//! not ready costs a second look, one that does the opposite may cost a release.

use capstan_core::card::Operation;

use super::quotes::words;
use super::words::{Doing, done_by, is_noun_of_any_domain};
use crate::find::Hit;

/// Words of a part that negate what it would order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Negation {
    /// The word with which it begins, counted from 0.
    pub(super) start: usize,
    /// How many words it has, at least.
    length: usize,
    certainty: Certainty,
    pub(super) reach: Reach,
}

/// What a negation depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Certainty {
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
pub(super) enum Reach {
    /// `keep it open and comment`: not at all.
    Part,
    /// `instead of closing and merging it, comment`: to what is joined by a conjunction.
    Conjunction,
    /// `do not approve it, merge it or close it`: to the end of the sentence, or to a contrast.
    Sentence,
}

impl Negation {
    /// The first word behind it.
    pub(super) fn end(&self) -> usize {
        self.start + self.length.max(1)
    }

    /// Whether it can be told without knowing what capability fits.
    pub(super) fn is_firm(&self) -> bool {
        self.certainty == Certainty::Firm
    }

    /// Whether it only describes what is looked at: "which issues do not have a label" asks for nothing that writes.
    pub(super) fn describes(&self) -> bool {
        self.certainty == Certainty::IfItWrites
    }

    /// Whether it negates what fits best.
    pub(super) fn applies_to(&self, hit: &Hit) -> bool {
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
    pub(super) fn is_bare(&self, text: &str) -> bool {
        let tokens = tokens(text);
        let mut rest = tokens.iter().skip(self.end());
        rest.all(|token| FILLERS.contains(&token.as_str()))
    }
}

/// The first negation of a text at or behind a word.
pub(super) fn negation(text: &str, from: usize) -> Option<Negation> {
    let tokens = tokens(text);
    let reader = Reader { tokens: &tokens };
    (from..tokens.len()).find_map(|place| reader.at(place))
}

/// Whether a word takes back a negation that was said before it: `do not merge it, just comment`.
pub(super) fn is_contrast(word: &str) -> bool {
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

/// The words of a part, with what stands around each of them.
struct Reader<'a> {
    tokens: &'a [String],
}

impl Reader<'_> {
    /// The negation that begins with a word.
    fn at(&self, place: usize) -> Option<Negation> {
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
        if self.is_affirmed(verb) {
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
                if !all || goes_on {
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
        let word = self.get(place);
        let stays = STAYING.contains(&word);
        if !stays || self.is_after_looking(place) {
            return None;
        }
        let is_state = |at: &usize| {
            let (word, next) = (self.get(*at), self.get(at + 1));
            let as_it_is = word == "as" && ["is", "it", "they"].contains(&next);
            as_it_is || (STAYS.contains(&word) && !is_noun_of_any_domain(next))
        };
        let state = (place + 1..self.tokens.len()).find(is_state)?;
        Some(Negation {
            reach: Reach::Part,
            ..self.firm(place, state - place + 1)
        })
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

fn is_contraction(word: &str) -> bool {
    word.ends_with("n't") || CONTRACTIONS.contains(&word)
}

fn is_gerund(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ing") && !NO_GERUNDS.contains(&word)
}

fn is_participle(word: &str) -> bool {
    (word.len() > 3 && word.ends_with("ed")) || ADJECTIVES.contains(&word)
}

/// Whether a state is what an action leads to: `resolved` after `resolve`.
fn is_state_after(state: &str, action: &str) -> bool {
    let root = |word: &str| -> String {
        let cut = ["ed", "e", "d"].iter().find_map(|it| word.strip_suffix(it));
        cut.unwrap_or(word).to_owned()
    };
    let (state, action) = (root(state), root(action));
    action.len() >= 3 && (state == action || state.starts_with(&action))
}

/// So many words behind `cancel` may name what is cancelled.
const NEAR: usize = 7;

const ARTICLES: [&str; 5] = ["a", "an", "any", "new", "the"];

const AUXILIARIES: [&str; 17] = [
    "can", "could", "did", "do", "does", "had", "has", "have", "may", "might", "must", "need",
    "ought", "shall", "should", "will", "would",
];

/// As people write them without an apostrophe.
const CONTRACTIONS: [&str; 15] = [
    "arent", "cannot", "cant", "couldnt", "didnt", "doesnt", "dont", "hasnt", "havent", "isnt",
    "mustnt", "neednt", "shouldnt", "wont", "wouldnt",
];

const COPULAS: [&str; 12] = [
    "are", "be", "been", "being", "gets", "get", "is", "remains", "stays", "was", "were", "becomes",
];

/// Words that say nothing between a negation and what it negates.
const LEADING_FILLERS: [&str; 15] = [
    "a", "actually", "an", "any", "be", "even", "ever", "further", "just", "please", "really",
    "more", "simply", "the", "yet",
];

/// Words behind a negation that name nothing that is negated.
const FILLERS: [&str; 23] = [
    "actually", "all", "at", "do", "ever", "it", "just", "kidding", "mind", "now", "please",
    "really", "so", "sorry", "that", "thanks", "then", "these", "this", "those", "way", "yet",
    "them",
];

/// `no need to`, `no longer`
const NEEDS: [&str; 12] = [
    "case",
    "circumstances",
    "intention",
    "longer",
    "means",
    "need",
    "needs",
    "point",
    "reason",
    "use",
    "way",
    "sense",
];

/// Things that others have: `issues with no label`.
const ATTRIBUTES: [&str; 16] = [
    "answer", "comment", "label", "link", "message", "name", "note", "plan", "point", "reply",
    "report", "request", "schedule", "tag", "target", "title",
];

const ALL: [&str; 8] = [
    "all",
    "any",
    "anything",
    "each",
    "every",
    "everybody",
    "everyone",
    "everything",
];

/// Verbs that keep what follows them from being done, or take it back.
const PREVENTING: [&str; 42] = [
    "abort",
    "abstain",
    "avoid",
    "ban",
    "block",
    "cancel",
    "cease",
    "decline",
    "defer",
    "delay",
    "disallow",
    "discourage",
    "forbid",
    "halt",
    "hold",
    "ignore",
    "inhibit",
    "omit",
    "oppose",
    "pause",
    "postpone",
    "prevent",
    "prohibit",
    "quit",
    "refrain",
    "refuse",
    "reject",
    "resist",
    "retract",
    "reverse",
    "revert",
    "revoke",
    "skip",
    "stop",
    "stopping",
    "suspend",
    "undo",
    "veto",
    "withdraw",
    "withhold",
    "avoiding",
    "preventing",
];

/// Before what is prevented: `cancel the merge`, `refuse to merge`.
const LEADS_TO_ACTIONS: [&str; 12] = [
    "a", "any", "from", "my", "of", "off", "on", "our", "pending", "the", "this", "to",
];

/// What is done, as nouns that are no verbs.
const ACTS: [&str; 10] = [
    "approval",
    "assignment",
    "closure",
    "creation",
    "deletion",
    "merger",
    "publication",
    "removal",
    "reopening",
    "submission",
];

const UNADVISABLE: [&str; 9] = [
    "dangerous",
    "forbidden",
    "inadvisable",
    "needless",
    "prohibited",
    "undesirable",
    "unnecessary",
    "unsafe",
    "unwise",
];

const STAYING: [&str; 10] = [
    "keep", "keeping", "keeps", "leave", "leaves", "leaving", "remain", "remains", "stay", "stays",
];

const STAYS: [&str; 17] = [
    "alone",
    "assigned",
    "closed",
    "draft",
    "intact",
    "labelled",
    "merged",
    "open",
    "opened",
    "pending",
    "unapproved",
    "unassigned",
    "unchanged",
    "unclosed",
    "unmerged",
    "unresolved",
    "untouched",
];

/// They look, but say nothing about what follows them.
const NO_LOOK: [&str; 7] = ["are", "do", "does", "ensure", "go", "is", "wait"];

const NO_GERUNDS: [&str; 23] = [
    "anything",
    "billing",
    "bring",
    "building",
    "during",
    "engineering",
    "everything",
    "existing",
    "failing",
    "following",
    "incoming",
    "meeting",
    "missing",
    "nothing",
    "outgoing",
    "pending",
    "ping",
    "remaining",
    "running",
    "something",
    "string",
    "thing",
    "warning",
];

const ADJECTIVES: [&str; 10] = [
    "active",
    "available",
    "done",
    "draft",
    "found",
    "ready",
    "relevant",
    "stale",
    "valid",
    "urgent",
];

const FOREIGN: [&str; 12] = [
    "jamais",
    "jamás",
    "kein",
    "keine",
    "keinen",
    "keinesfalls",
    "nicht",
    "nie",
    "niemals",
    "nunca",
    "ohne",
    "pas",
];

/// In scripts without spaces between words.
const FOREIGN_PARTS: [&str; 7] = ["不要", "不", "别", "勿", "しない", "ないで", "하지"];

#[cfg(test)]
mod tests {
    use capstan_core::card::Kind;
    use proptest::prelude::*;

    use super::*;

    fn hit(id: &str, operation: Operation) -> Hit {
        Hit {
            id: id.to_owned(),
            description: String::new(),
            operation,
            kind: Kind::Card,
            fqdn: None,
            score: 1.0,
            why: None,
            reliability: None,
        }
    }

    #[test]
    fn negations_are_told_from_descriptions() {
        let (close, list) = (
            hit("issue.close", Operation::Write),
            hit("issue.list", Operation::Read),
        );
        for (text, hit, expected) in [
            ("do not merge it", &close, true),
            ("don't close it yet", &close, true),
            ("DON’T close it", &close, true),
            ("*do* **not** close it", &close, true),
            ("please do not ever close it", &close, true),
            ("close it as not planned", &close, false),
            ("mark it as not closed", &close, true),
            ("merge it", &close, false),
            ("close issue no 3", &close, false),
            ("comment \"do not merge\" on it", &close, false),
            ("list issues that are not closed", &list, false),
            ("list issues that are not closed", &close, true),
            ("list issues with no label", &list, false),
            ("list issues we did not create", &list, false),
            ("list all issues but the closed ones", &list, true),
            ("do not forget to close it", &close, false),
            ("not only close it", &close, false),
            ("keep the open issue 3 on top", &close, false),
            ("keep issue 3 open", &close, true),
            ("leave a comment", &close, false),
            ("cancel the merge", &close, true),
            ("add the do-not-merge label", &close, false),
            ("issue 3 nicht schließen", &close, true),
            ("不要关闭问题 3", &close, true),
        ] {
            let found = negation(text, 0);
            let is_negated = found.as_ref().is_some_and(|it| it.applies_to(hit));
            assert_eq!(is_negated, expected, "{text}: {found:?}");
        }
    }

    #[test]
    fn what_cancels_may_be_asked_for() {
        let cancel = hit("workflow.runs.cancel", Operation::Write);
        let found = negation("cancel the pending merge run", 0);
        assert!(!found.is_some_and(|it| it.applies_to(&cancel)));
    }

    #[test]
    fn a_bare_negation_is_about_what_was_said_before() {
        for (text, expected) in [
            ("never", true),
            ("don't", true),
            ("no, not really", true),
            ("not issue 4", false),
            ("do not merge it", false),
        ] {
            let found = negation(text, 0).map(|it| it.is_bare(text));
            assert_eq!(found, Some(expected), "{text}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_said_is_read(text in any::<String>(), from in 0..8_usize) {
            if let Some(found) = negation(&text, from) {
                prop_assert!(found.start <= text.len());
            }
        }
    }
}
