//! The words by which negations are recognised, and those that only look like them.

use crate::discovery::suggest::words::{Doing, done_by};

pub(super) fn is_contraction(word: &str) -> bool {
    word.ends_with("n't") || CONTRACTIONS.contains(&word)
}

pub(super) fn is_gerund(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ing") && !NO_GERUNDS.contains(&word)
}

pub(super) fn is_participle(word: &str) -> bool {
    (word.len() > 3 && word.ends_with("ed")) || ADJECTIVES.contains(&word)
}

/// Whether a word says that something was done that can be ordered: `closed`, `merged`, `assigned`.
pub(super) fn is_done(word: &str) -> bool {
    let roots = [word.strip_suffix("d"), word.strip_suffix("ed")];
    let mut roots = roots.into_iter().flatten();
    word.ends_with("ed")
        && word != "fixed"
        && roots.any(|root| done_by(root) == Some(Doing::Changing))
}

/// Whether a state is what an action leads to: `resolved` after `resolve`.
pub(super) fn is_state_after(state: &str, action: &str) -> bool {
    let root = |word: &str| -> String {
        let cut = ["ed", "e", "d"].iter().find_map(|it| word.strip_suffix(it));
        cut.unwrap_or(word).to_owned()
    };
    let (state, action) = (root(state), root(action));
    action.len() >= 3 && (state == action || state.starts_with(&action))
}

/// So many words behind `cancel` may name what is cancelled.
pub(super) const NEAR: usize = 7;

pub(super) const ARTICLES: [&str; 5] = ["a", "an", "any", "new", "the"];

pub(super) const AUXILIARIES: [&str; 17] = [
    "can", "could", "did", "do", "does", "had", "has", "have", "may", "might", "must", "need",
    "ought", "shall", "should", "will", "would",
];

/// As people write them without an apostrophe.
pub(super) const CONTRACTIONS: [&str; 15] = [
    "arent", "cannot", "cant", "couldnt", "didnt", "doesnt", "dont", "hasnt", "havent", "isnt",
    "mustnt", "neednt", "shouldnt", "wont", "wouldnt",
];

pub(super) const COPULAS: [&str; 12] = [
    "are", "be", "been", "being", "gets", "get", "is", "remains", "stays", "was", "were", "becomes",
];

/// Words that say nothing between a negation and what it negates.
pub(super) const LEADING_FILLERS: [&str; 15] = [
    "a", "actually", "an", "any", "be", "even", "ever", "further", "just", "please", "really",
    "more", "simply", "the", "yet",
];

/// Words behind a negation that name nothing that is negated.
pub(super) const FILLERS: [&str; 23] = [
    "actually", "all", "at", "do", "ever", "it", "just", "kidding", "mind", "now", "please",
    "really", "so", "sorry", "that", "thanks", "then", "these", "this", "those", "way", "yet",
    "them",
];

/// They begin a reason or a circumstance, which orders nothing.
pub(super) const SUBORDINATORS: [&str; 7] = [
    "although", "because", "cause", "cuz", "if", "since", "though",
];

/// `no need to`, `no longer`
pub(super) const NEEDS: [&str; 12] = [
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
pub(super) const ATTRIBUTES: [&str; 16] = [
    "answer", "comment", "label", "link", "message", "name", "note", "plan", "point", "reply",
    "report", "request", "schedule", "tag", "target", "title",
];

pub(super) const ALL: [&str; 8] = [
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
pub(super) const PREVENTING: [&str; 42] = [
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
pub(super) const LEADS_TO_ACTIONS: [&str; 12] = [
    "a", "any", "from", "my", "of", "off", "on", "our", "pending", "the", "this", "to",
];

/// What is done, as nouns that are no verbs.
pub(super) const ACTS: [&str; 10] = [
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

pub(super) const UNADVISABLE: [&str; 9] = [
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

/// They look, but say nothing about what follows them.
pub(super) const NO_LOOK: [&str; 7] = ["are", "do", "does", "ensure", "go", "is", "wait"];

pub(super) const NO_GERUNDS: [&str; 23] = [
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

pub(super) const ADJECTIVES: [&str; 10] = [
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

pub(super) const FOREIGN: [&str; 12] = [
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
pub(super) const FOREIGN_PARTS: [&str; 7] = ["不要", "不", "别", "勿", "しない", "ないで", "하지"];
