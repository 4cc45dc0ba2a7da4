//! Synonyms for the actions of capabilities and for GitHub's objects.

/// Returns one stem for all stems that mean the same.
pub(crate) fn canonical_stem(stem: &str) -> &str {
    match stem {
        "pull" | "mr" | "prs" => "pr",
        "repositori" => "repo",
        "ticket" | "bug" => "issu",
        "show" | "get" | "read" | "fetch" | "display" | "look" | "see" => "view",
        "find" => "list",
        other => other,
    }
}
