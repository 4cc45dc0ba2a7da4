//! The words by which negations are recognised, and those that only look like them.

use crate::discovery::suggest::vocabulary::{VerbKind, verb_kind};

pub(super) fn is_contraction(word: &str) -> bool {
    word.ends_with("n't") || CONTRACTIONS.contains(&word)
}

pub(super) fn is_gerund(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ing") && !NO_GERUNDS.contains(&word)
}

pub(super) fn is_participle(word: &str) -> bool {
    (word.len() > 3 && word.ends_with("ed")) || ADJECTIVES.contains(&word)
}

/// Returns whether a word is the participle of a write: `closed`, `merged`, `assigned`.
pub(super) fn is_participle_of_write(word: &str) -> bool {
    let roots = [word.strip_suffix("d"), word.strip_suffix("ed")];
    let mut roots = roots.into_iter().flatten();
    word.ends_with("ed")
        && word != "fixed"
        && roots.any(|root| verb_kind(root) == Some(VerbKind::Write))
}

/// Returns whether an action leads to a state: `resolve` leads to `resolved`.
pub(super) fn is_state_after(state: &str, action: &str) -> bool {
    let root = |word: &str| -> String {
        let cut = ["ed", "e", "d"].iter().find_map(|it| word.strip_suffix(it));
        cut.unwrap_or(word).to_owned()
    };
    let (state, action) = (root(state), root(action));
    action.len() >= 3 && (state == action || state.starts_with(&action))
}

/// How many words after a preventing verb may name what it prevents.
pub(super) const NEAR: usize = 7;

pub(super) const ARTICLES: [&str; 5] = ["a", "an", "any", "new", "the"];

pub(super) const AUXILIARIES: [&str; 17] = [
    "can", "could", "did", "do", "does", "had", "has", "have", "may", "might", "must", "need",
    "ought", "shall", "should", "will", "would",
];

/// Contractions written without an apostrophe.
pub(super) const CONTRACTIONS: [&str; 15] = [
    "arent", "cannot", "cant", "couldnt", "didnt", "doesnt", "dont", "hasnt", "havent", "isnt",
    "mustnt", "neednt", "shouldnt", "wont", "wouldnt",
];

pub(super) const COPULAS: [&str; 12] = [
    "are", "be", "been", "being", "gets", "get", "is", "remains", "stays", "was", "were", "becomes",
];

/// Words without meaning between a negation and what it negates.
pub(super) const LEADING_FILLERS: [&str; 15] = [
    "a", "actually", "an", "any", "be", "even", "ever", "further", "just", "please", "really",
    "more", "simply", "the", "yet",
];

/// Words after a negation that name nothing.
pub(super) const FILLERS: [&str; 23] = [
    "actually", "all", "at", "do", "ever", "it", "just", "kidding", "mind", "now", "please",
    "really", "so", "sorry", "that", "thanks", "then", "these", "this", "those", "way", "yet",
    "them",
];

/// Words that start a reason or a circumstance, which orders nothing.
pub(super) const SUBORDINATORS: [&str; 7] = [
    "although", "because", "cause", "cuz", "if", "since", "though",
];

/// Words after "no": `no need to`, `no longer`.
pub(super) const NO_PHRASES: [&str; 12] = [
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

/// Attributes of objects: `issues with no label`.
pub(super) const ATTRIBUTES: [&str; 16] = [
    "answer", "comment", "label", "link", "message", "name", "note", "plan", "point", "reply",
    "report", "request", "schedule", "tag", "target", "title",
];

pub(super) const UNIVERSAL_WORDS: [&str; 8] = [
    "all",
    "any",
    "anything",
    "each",
    "every",
    "everybody",
    "everyone",
    "everything",
];

/// Verbs that prevent or retract what follows.
pub(super) const PREVENTING_VERBS: [&str; 42] = [
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

/// Words before what is prevented: `cancel the merge`, `refuse to merge`.
pub(super) const ACTION_INTRODUCERS: [&str; 12] = [
    "a", "any", "from", "my", "of", "off", "on", "our", "pending", "the", "this", "to",
];

/// Nouns for actions that are not also verbs.
pub(super) const ACTION_NOUNS: [&str; 10] = [
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

/// Read verbs after which a negation is not a description.
pub(super) const WEAK_READ_VERBS: [&str; 7] = ["are", "do", "does", "ensure", "go", "is", "wait"];

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

/// Parts of words in scripts without spaces.
pub(super) const FOREIGN_PARTS: [&str; 7] = ["不要", "不", "别", "勿", "しない", "ないで", "하지"];
