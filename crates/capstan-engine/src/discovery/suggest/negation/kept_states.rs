//! States to be kept, and the capabilities that would end them: `keep it open` forbids closing.

pub(super) const KEEP_VERBS: [&str; 10] = [
    "keep", "keeping", "keeps", "leave", "leaves", "leaving", "remain", "remains", "stay", "stays",
];

pub(super) const KEPT_STATES: [&str; 17] = [
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

/// Returns whether a capability ends a state.
pub(super) fn is_ended_by(state: &str, id: &str, writes: bool) -> bool {
    let mut parts = id.split('.');
    let mut has = |any: &[&str]| parts.any(|part| any.contains(&part));
    match state {
        "open" | "opened" | "unclosed" => has(&["close", "merge"]),
        "closed" => has(&["open", "reopen"]),
        "unmerged" => has(&["merge"]),
        "assigned" | "unassigned" => writes && has(&["assignees"]),
        "labelled" => writes && has(&["labels"]),
        "unresolved" => has(&["resolve"]),
        "unapproved" => has(&["approve", "reviews"]),
        "pending" => has(&["approve", "close", "merge", "reviews"]),
        "draft" => has(&["merge", "ready"]),
        // `alone`, `untouched`, `as it is`
        _ => writes,
    }
}
