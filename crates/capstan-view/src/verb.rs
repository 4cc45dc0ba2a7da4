//! The past participle for a write.

use capstan_core::card::Card;

/// What a write did.
#[derive(Clone, Copy)]
pub(crate) struct Verb {
    /// The participle, such as `created`.
    pub(crate) done: &'static str,
    /// Whether it created something, whose URL is then needed.
    pub(crate) creates: bool,
}

/// Actions that create something.
const CREATING_ACTIONS: [(&str, &str); 5] = [
    ("create", "created"),
    ("publish", "published"),
    ("fork", "forked"),
    ("upload", "uploaded"),
    ("dispatch", "dispatched"),
];

/// Actions that change an existing object.
const CHANGING_ACTIONS: [(&str, &str); 25] = [
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

/// Returns the verb for the last segment of a card's id, if it says more than the data.
pub(crate) fn verb(card: &Card) -> Option<Verb> {
    let action = card.id.as_str().rsplit('.').next()?;
    let find = |verbs: &[(&str, &'static str)], creates| {
        let found = verbs.iter().find(|(name, _)| *name == action);
        found.map(|(_, done)| Verb { done, creates })
    };
    find(&CREATING_ACTIONS, true).or_else(|| find(&CHANGING_ACTIONS, false))
}
