//! What an action did, as a word.

use capstan_core::card::Card;

/// What a write did.
#[derive(Clone, Copy)]
pub(crate) struct Verb {
    /// `created`.
    pub(crate) done: &'static str,
    /// It made something, whose address is needed.
    pub(crate) makes: bool,
}

/// Actions that make something.
const MAKING: [(&str, &str); 5] = [
    ("create", "created"),
    ("publish", "published"),
    ("fork", "forked"),
    ("upload", "uploaded"),
    ("dispatch", "dispatched"),
];

/// Actions that change what is there.
const CHANGING: [(&str, &str); 25] = [
    ("submit", "submitted"),
    ("comment", "commented"),
    ("reply", "replied"),
    ("approve", "approved"),
    ("cancel", "cancelled"),
    ("close", "closed"),
    ("delete", "deleted"),
    ("disable", "disabled"),
    ("dismiss", "dismissed"),
    ("edit", "edited"),
    ("enable", "enabled"),
    ("lock", "locked"),
    ("merge", "merged"),
    ("pin", "pinned"),
    ("rename", "renamed"),
    ("reopen", "reopened"),
    ("rerun", "started again"),
    ("resolve", "resolved"),
    ("revert", "reverted"),
    ("star", "starred"),
    ("transfer", "transferred"),
    ("unlock", "unlocked"),
    ("unpin", "unpinned"),
    ("unresolve", "unresolved"),
    ("update", "updated"),
];

/// The word for the last part of a card's id, where there is one that says more than the data.
pub(crate) fn verb(card: &Card) -> Option<Verb> {
    let action = card.id.as_str().rsplit('.').next()?;
    let find = |verbs: &[(&str, &'static str)], makes| {
        let found = verbs.iter().find(|(name, _)| *name == action);
        found.map(|(_, done)| Verb { done, makes })
    };
    find(&MAKING, true).or_else(|| find(&CHANGING, false))
}
