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
    let near = words.iter().take(NEAR).enumerate();
    near.filter_map(
        |(place, word)| match words.get(place + 1).map(String::as_str) {
            Some("certain" | "sure") if word == "make" => Some(Doing::Looking),
            _ => done_by(word),
        },
    )
    .next()
}

/// Whether a word says what is done.
pub(super) fn is_verb(word: &str) -> bool {
    done_by(word).is_some()
}

pub(super) fn done_by(word: &str) -> Option<Doing> {
    let is_in = |verbs: &[&str]| verbs.binary_search(&word).is_ok();
    match (is_in(&LOOKING), is_in(&CHANGING)) {
        (true, _) => Some(Doing::Looking),
        (_, true) => Some(Doing::Changing),
        _ => None,
    }
}

/// A verb that comes later belongs to something else.
const NEAR: usize = 5;

const LOOKING: [&str; 47] = [
    "are",
    "browse",
    "check",
    "collect",
    "compare",
    "confirm",
    "count",
    "describe",
    "display",
    "do",
    "does",
    "ensure",
    "examine",
    "explain",
    "fetch",
    "find",
    "gather",
    "get",
    "go",
    "grab",
    "how",
    "hunt",
    "inspect",
    "is",
    "list",
    "look",
    "monitor",
    "pick",
    "read",
    "scan",
    "search",
    "see",
    "show",
    "summarise",
    "summarize",
    "track",
    "verify",
    "view",
    "wait",
    "watch",
    "what",
    "where",
    "whether",
    "which",
    "who",
    "whose",
    "why",
];

const CHANGING: [&str; 118] = [
    "add",
    "announce",
    "answer",
    "apologise",
    "apologize",
    "apply",
    "approve",
    "ask",
    "assign",
    "attach",
    "backport",
    "block",
    "bring",
    "bump",
    "cancel",
    "change",
    "clear",
    "close",
    "comment",
    "create",
    "delete",
    "demote",
    "drop",
    "edit",
    "escalate",
    "export",
    "file",
    "finish",
    "fix",
    "flag",
    "forget",
    "give",
    "grant",
    "hand",
    "import",
    "invite",
    "join",
    "keep",
    "kick",
    "label",
    "land",
    "leave",
    "let",
    "link",
    "log",
    "make",
    "mark",
    "mention",
    "merge",
    "message",
    "move",
    "nag",
    "name",
    "note",
    "notify",
    "nudge",
    "open",
    "page",
    "ping",
    "plan",
    "point",
    "post",
    "postpone",
    "prioritise",
    "prioritize",
    "promote",
    "publish",
    "punt",
    "push",
    "put",
    "raise",
    "reassign",
    "reject",
    "remind",
    "remove",
    "rename",
    "reopen",
    "reply",
    "report",
    "request",
    "rerun",
    "resolve",
    "respond",
    "restore",
    "resume",
    "retitle",
    "rewrite",
    "save",
    "say",
    "schedule",
    "send",
    "set",
    "share",
    "ship",
    "shut",
    "sign",
    "slap",
    "squash",
    "start",
    "stick",
    "stop",
    "strip",
    "submit",
    "swap",
    "tag",
    "take",
    "target",
    "tell",
    "thank",
    "transfer",
    "unassign",
    "undo",
    "unlabel",
    "untag",
    "update",
    "warn",
    "welcome",
    "write",
];

/// The word that makes something depend on what is found: steps are run whatever they find.
pub(super) fn condition(words: &[String]) -> Option<&str> {
    let found = words
        .iter()
        .find(|word| CONDITIONS.contains(&word.as_str()));
    found.map(String::as_str)
}

const CONDITIONS: [&str; 11] = [
    "assuming",
    "depending",
    "else",
    "if",
    "once",
    "otherwise",
    "provided",
    "unless",
    "until",
    "when",
    "whether",
];

/// Whether words only name things that are to be listed: "open issues", "latest release", "pull requests
/// merged".
pub(super) fn is_list(words: &[String]) -> bool {
    let is_in = |word: &String, all: &[&str]| all.contains(&word.as_str());
    let is_plural = |word: &String| word.ends_with('s');
    let from = words.iter().position(|word| !is_in(word, &LEADS));
    match from.map_or(&[][..], |from| &words[from..]) {
        [first, .., last] if is_in(first, &NEWEST) => is_plural(last) || !is_verb(last),
        // Nobody opens or closes several at once.
        [first, .., last] if is_in(first, &STATES) => is_plural(last),
        [first, .., last] if is_in(last, &STATES) => !is_verb(first) && words.iter().any(is_plural),
        _ => false,
    }
}

const LEADS: [&str; 9] = [
    "all", "any", "every", "from", "my", "our", "the", "their", "with",
];

const NEWEST: [&str; 7] = [
    "last", "latest", "newest", "oldest", "previous", "recent", "upcoming",
];

const STATES: [&str; 19] = [
    "assigned",
    "blocked",
    "closed",
    "failed",
    "failing",
    "labelled",
    "merged",
    "new",
    "old",
    "open",
    "opened",
    "overdue",
    "pending",
    "published",
    "released",
    "stale",
    "unassigned",
    "unlabelled",
    "unresolved",
];

/// Whether more than one thing is spoken of: "close all the stale issues".
pub(super) fn is_several(words: &[String]) -> bool {
    let says_so = |word: &String| {
        ["all", "any", "each", "every", "them", "these", "those"].contains(&word.as_str())
    };
    words.iter().any(says_so)
}

/// What people call the things of a domain. GitHub's have many names.
pub(super) fn names_of(domain: &str) -> Vec<&str> {
    let more: &[&str] = match domain {
        "issue" => &["bug", "ticket", "report"],
        "pr" => &["pull", "mr"],
        "release" => &["version"],
        "workflow" => &["ci", "build", "pipeline", "run"],
        "repo" => &["repository", "repositorie"],
        "cap" => &["capability", "capabilitie", "code", "script", "snippet"],
        "trace" => &["execution"],
        _ => &[],
    };
    more.iter().copied().chain([domain]).collect()
}

/// Whether a word names a thing of GitHub's: `issues`, `pr`, `ticket`.
pub(super) fn is_noun_of_any_domain(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    let mut domains = ["issue", "pr", "release", "workflow", "repo"].into_iter();
    domains.any(|domain| names_of(domain).contains(&singular))
}

/// The domains that words speak of, among those that there are.
pub(super) fn domains<'a>(
    words: &[String],
    known: impl Iterator<Item = &'a str>,
) -> BTreeSet<&'a str> {
    let is_named = |domain: &&'a str| {
        let names = names_of(domain);
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
    fn conditions_are_told() {
        for (text, expected) in [
            ("if it is green merge it", Some("if")),
            ("do not merge it", None),
            ("merge it", None),
        ] {
            assert_eq!(condition(&words(text)), expected, "{text}");
        }
    }

    #[test]
    fn things_to_list_are_told_from_things_to_do() {
        for (text, expected) in [
            ("open issues", true),
            ("the latest release", true),
            ("from merged pull requests", true),
            ("releases published", true),
            ("open an issue", false),
            ("close the stale issues", false),
            ("merged", false),
        ] {
            assert_eq!(is_list(&words(text)), expected, "{text}");
        }
    }

    #[test]
    fn what_is_done_and_with_what_is_told() {
        assert_eq!(doing(&words("then close the bug")), Some(Doing::Changing));
        assert_eq!(
            doing(&words("which labels are there")),
            Some(Doing::Looking)
        );
        assert_eq!(
            doing(&words("make sure that ci is green")),
            Some(Doing::Looking)
        );
        assert_eq!(doing(&words("some words about bug 140")), None);
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
