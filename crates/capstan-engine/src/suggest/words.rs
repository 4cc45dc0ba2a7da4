//! Words that tell what a part of an intent is about: what is to be done, and with what.

use std::collections::BTreeSet;

/// What people do: look at something, or change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Looking,
    Changing,
}

/// The first verb near the beginning decides.
pub(super) fn doing(words: &[String]) -> Option<Doing> {
    words.iter().take(NEAR).find_map(|word| {
        let is_in = |verbs: &[&str]| verbs.binary_search(&word.as_str()).is_ok();
        match (is_in(&LOOKING), is_in(&CHANGING)) {
            (true, _) => Some(Doing::Looking),
            (_, true) => Some(Doing::Changing),
            _ => None,
        }
    })
}

/// A verb that comes later belongs to something else.
const NEAR: usize = 4;

const LOOKING: [&str; 27] = [
    "are",
    "check",
    "collect",
    "compare",
    "describe",
    "display",
    "do",
    "does",
    "explain",
    "fetch",
    "find",
    "get",
    "go",
    "how",
    "inspect",
    "is",
    "list",
    "look",
    "read",
    "see",
    "show",
    "summarize",
    "view",
    "what",
    "which",
    "who",
    "why",
];

const CHANGING: [&str; 68] = [
    "add", "answer", "approve", "assign", "attach", "bump", "cancel", "change", "close", "comment",
    "create", "delete", "drop", "edit", "export", "file", "forget", "give", "hand", "import",
    "join", "keep", "label", "land", "leave", "let", "log", "make", "mark", "mention", "merge",
    "move", "name", "note", "open", "ping", "post", "publish", "put", "raise", "reject", "remove",
    "rename", "reopen", "reply", "report", "request", "rerun", "resolve", "respond", "resume",
    "rewrite", "save", "say", "send", "set", "share", "ship", "submit", "swap", "tag", "take",
    "tell", "thank", "undo", "unlabel", "update", "write",
];

/// What stands before things that are to be listed: "open issues", "recent runs".
pub(super) fn is_state(word: &str) -> bool {
    [
        "closed",
        "last",
        "latest",
        "new",
        "newest",
        "old",
        "open",
        "recent",
        "unresolved",
    ]
    .contains(&word)
}

/// The domains that words speak of, among those that there are. GitHub's things have many names.
pub(super) fn domains<'a>(
    words: &[String],
    known: impl Iterator<Item = &'a str>,
) -> BTreeSet<&'a str> {
    let names = |domain: &'a str| -> Vec<&'a str> {
        let more: &[&str] = match domain {
            "issue" => &["bug", "ticket", "report"],
            "pr" => &["pull", "mr"],
            "release" => &["version"],
            "workflow" => &["ci", "build", "pipeline"],
            "repo" => &["repository", "repositorie"],
            "cap" => &["capability", "capabilitie", "code", "script", "snippet"],
            "trace" => &["execution"],
            _ => &[],
        };
        more.iter().copied().chain([domain]).collect()
    };
    let is_named = |domain: &&'a str| {
        let names = names(domain);
        words.iter().any(|word| {
            let singular = word.strip_suffix('s').unwrap_or(word);
            names.contains(&word.as_str()) || names.contains(&singular)
        })
    };
    known.filter(is_named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn lists_are_sorted() {
        assert!(LOOKING.is_sorted());
        assert!(CHANGING.is_sorted());
    }

    #[test]
    fn what_is_done_and_with_what_is_told() {
        assert_eq!(doing(&words("then close the bug")), Some(Doing::Changing));
        assert_eq!(
            doing(&words("which labels are there")),
            Some(Doing::Looking)
        );
        assert_eq!(doing(&words("the fix for bug 140 is out")), None);
        let known = ["issue", "pr", "workflow"];
        let domains = |text: &str| -> Vec<&str> {
            let found = domains(&words(text), known.into_iter());
            found.into_iter().collect()
        };
        assert_eq!(domains("tickets of the build"), ["issue", "workflow"]);
        assert_eq!(domains("prs"), ["pr"]);
        assert_eq!(domains("anything else"), [""; 0]);
    }
}
