//! Words that tell what a clause asks for: verbs, nouns and conditions.

use std::collections::BTreeSet;

/// What a verb asks for: to look at something, or to change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VerbKind {
    Read,
    Write,
}

/// Returns the kind of the first verb among the first words of a clause.
pub(super) fn main_verb_kind(words: &[String]) -> Option<VerbKind> {
    let near = words.iter().take(NEAR).enumerate();
    near.filter_map(
        |(place, word)| match words.get(place + 1).map(String::as_str) {
            Some("certain" | "sure") if word == "make" => Some(VerbKind::Read),
            _ => verb_kind(word),
        },
    )
    .next()
}

/// Returns whether a word is a known verb.
pub(super) fn is_verb(word: &str) -> bool {
    verb_kind(word).is_some()
}

pub(super) fn verb_kind(word: &str) -> Option<VerbKind> {
    let is_in = |verbs: &[&str]| verbs.binary_search(&word).is_ok();
    match (is_in(&READ_VERBS), is_in(&WRITE_VERBS)) {
        (true, _) => Some(VerbKind::Read),
        (_, true) => Some(VerbKind::Write),
        _ => None,
    }
}

/// The number of words in which the main verb is looked for. Later verbs belong to something else.
const NEAR: usize = 5;

const READ_VERBS: [&str; 47] = [
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

const WRITE_VERBS: [&str; 118] = [
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

/// Returns the word that makes a clause conditional. Plans run all steps regardless of their results.
pub(super) fn find_condition(words: &[String]) -> Option<&str> {
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

/// Returns whether words only name objects to be listed: "open issues", "latest release", "pull requests
/// merged".
pub(super) fn is_list_request(words: &[String]) -> bool {
    let is_in = |word: &String, all: &[&str]| all.contains(&word.as_str());
    let is_plural = |word: &String| word.ends_with('s');
    let from = words.iter().position(|word| !is_in(word, &LEADS));
    match from.map_or(&[][..], |from| &words[from..]) {
        [first, .., last] if is_in(first, &NEWEST) => is_plural(last) || !is_verb(last),
        // "open" before a plural is an adjective: a command opens one object.
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

/// Returns whether words refer to several objects: "close all the stale issues".
pub(super) fn mentions_several(words: &[String]) -> bool {
    let says_so = |word: &String| {
        ["all", "any", "each", "every", "them", "these", "those"].contains(&word.as_str())
    };
    words.iter().any(says_so)
}

/// Returns the nouns, in singular, that people use for the objects of a domain.
pub(super) fn synonyms_of(domain: &str) -> Vec<&str> {
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

/// Returns whether a word names one of GitHub's objects: `issues`, `pr`, `ticket`.
pub(super) fn is_noun_of_any_domain(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    let mut mentioned_domains = ["issue", "pr", "release", "workflow", "repo"].into_iter();
    mentioned_domains.any(|domain| synonyms_of(domain).contains(&singular))
}

/// Returns those of the known domains that the words mention.
pub(super) fn mentioned_domains<'a>(
    words: &[String],
    known: impl Iterator<Item = &'a str>,
) -> BTreeSet<&'a str> {
    let is_named = |domain: &&'a str| {
        let names = synonyms_of(domain);
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
        assert!(READ_VERBS.is_sorted());
        assert!(WRITE_VERBS.is_sorted());
    }

    #[test]
    fn conditions_are_told() {
        for (text, expected) in [
            ("if it is green merge it", Some("if")),
            ("do not merge it", None),
            ("merge it", None),
        ] {
            assert_eq!(find_condition(&words(text)), expected, "{text}");
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
            assert_eq!(is_list_request(&words(text)), expected, "{text}");
        }
    }

    #[test]
    fn what_is_done_and_with_what_is_told() {
        assert_eq!(
            main_verb_kind(&words("then close the bug")),
            Some(VerbKind::Write)
        );
        assert_eq!(
            main_verb_kind(&words("which labels are there")),
            Some(VerbKind::Read)
        );
        assert_eq!(
            main_verb_kind(&words("make sure that ci is green")),
            Some(VerbKind::Read)
        );
        assert_eq!(main_verb_kind(&words("some words about bug 140")), None);
        let known = ["issue", "pr", "workflow"];
        let mentioned_domains = |text: &str| -> Vec<&str> {
            let found = mentioned_domains(&words(text), known.into_iter());
            found.into_iter().collect()
        };
        assert_eq!(
            mentioned_domains("tickets of the build"),
            ["issue", "workflow"]
        );
        assert_eq!(mentioned_domains("prs"), ["pr"]);
        assert_eq!(mentioned_domains("anything else"), [""; 0]);
    }
}
