//! What people call the things that capabilities do, and GitHub's things.

/// One stem for stems that mean the same.
pub(crate) fn same_thing(stem: &str) -> &str {
    match stem {
        "pull" | "mr" | "prs" => "pr",
        "repositori" => "repo",
        "ticket" | "bug" => "issu",
        "show" | "get" | "read" | "fetch" | "display" | "look" | "see" => "view",
        "find" => "list",
        other => other,
    }
}
