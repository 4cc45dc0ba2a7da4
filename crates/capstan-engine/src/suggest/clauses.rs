//! What somebody asks for, cut into the things to do: "find the open bugs, label them and tell kim" is
//! three of them.

/// One thing to do, in words that stand by themselves.
pub(super) type Clause = String;

/// Nobody asks for more in one breath; what comes later belongs to the last.
const MOST: usize = 8;

/// Cuts at punctuation and conjunctions. A part that only names a thing takes over the verb of the part
/// before ("list issues and pull requests"); one that refers to a thing takes over its name ("… and close
/// it").
pub(super) fn clauses(intent: &str) -> Vec<Clause> {
    let mut found: Vec<Clause> = Vec::new();
    let mut verb: Option<String> = None;
    let mut thing: Option<String> = None;
    for part in parts(intent) {
        let words: Vec<String> = part.iter().map(|word| plain(word)).collect();
        let own_verb = words.iter().find(|word| is_verb(word)).cloned();
        let own_thing = things(&words);
        let text = part.join(" ");
        let says_more = own_verb.is_none() && own_thing.is_none();
        let is_full = found.len() >= MOST;
        if let Some(last) = found.last_mut().filter(|_| says_more || is_full) {
            last.push(' ');
            last.push_str(&text);
            continue;
        }
        let refers = words.iter().any(|word| PRONOUNS.contains(&word.as_str()));
        let before = own_verb.is_none().then_some(verb.as_deref()).flatten();
        let after = (own_thing.is_none() || refers).then_some(thing.as_deref());
        let whole = before.into_iter().chain([text.as_str()]);
        let whole: Vec<_> = whole.chain(after.flatten()).collect();
        found.push(whole.join(" "));
        verb = own_verb.or(verb);
        thing = own_thing.or(thing);
    }
    found
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

/// The words between conjunctions and punctuation.
fn parts(intent: &str) -> Vec<Vec<&str>> {
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    for word in intent.split_whitespace() {
        let plain = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '&');
        let lower = plain.to_lowercase();
        if CONJUNCTIONS.contains(&lower.as_str()) {
            parts.push(Vec::new());
            continue;
        }
        if let Some(last) = parts.last_mut() {
            last.push(word.trim_end_matches([',', ';', '.', ':', '!', '?']));
        }
        // A full stop inside a word, as in `v1.2` or `issue.view`, is no end.
        if word.ends_with([',', ';', '.', ':', '!', '?']) {
            parts.push(Vec::new());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

const CONJUNCTIONS: [&str; 13] = [
    "and",
    "then",
    "after",
    "afterwards",
    "finally",
    "also",
    "plus",
    "before",
    "&",
    "next",
    "once",
    "followed",
    "while",
];

const PRONOUNS: [&str; 9] = [
    "it", "its", "them", "they", "each", "those", "these", "one", "every",
];

/// The things that a part names, as they stand there.
fn things(words: &[String]) -> Option<String> {
    let named: Vec<_> = words
        .iter()
        .filter(|word| is_thing(word))
        .cloned()
        .collect();
    (!named.is_empty()).then(|| named.join(" "))
}

fn is_thing(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    [word, singular].iter().any(|word| THINGS.contains(word))
}

/// What there is on GitHub and in Capstan, as people call it.
const THINGS: [&str; 34] = [
    "issue",
    "bug",
    "ticket",
    "report",
    "pr",
    "prs",
    "pull",
    "mr",
    "request",
    "release",
    "version",
    "repo",
    "repository",
    "workflow",
    "build",
    "ci",
    "check",
    "job",
    "thread",
    "conversation",
    "comment",
    "review",
    "label",
    "milestone",
    "assignee",
    "skill",
    "capability",
    "capabilitie",
    "script",
    "code",
    "trace",
    "execution",
    "run",
    "snippet",
];

fn is_verb(word: &str) -> bool {
    let stems = ["", "s", "es", "ing"];
    stems.iter().any(|ending| {
        word.strip_suffix(ending)
            .is_some_and(|stem| VERBS.contains(&stem))
    })
}

/// What people do there. Some are also things; where they stand first they are meant as verbs.
const VERBS: [&str; 78] = [
    "add",
    "answer",
    "approve",
    "assign",
    "attach",
    "bring",
    "cancel",
    "change",
    "check",
    "clean",
    "close",
    "collect",
    "comment",
    "compare",
    "create",
    "delete",
    "describe",
    "display",
    "draft",
    "drop",
    "edit",
    "explain",
    "export",
    "fetch",
    "file",
    "find",
    "fix",
    "forget",
    "get",
    "give",
    "go",
    "hand",
    "import",
    "inspect",
    "join",
    "label",
    "land",
    "leave",
    "list",
    "look",
    "make",
    "mark",
    "merge",
    "mention",
    "move",
    "name",
    "note",
    "open",
    "pick",
    "ping",
    "post",
    "publish",
    "put",
    "read",
    "reject",
    "remove",
    "rename",
    "reopen",
    "reply",
    "report",
    "request",
    "resolve",
    "respond",
    "resume",
    "review",
    "run",
    "say",
    "see",
    "send",
    "set",
    "share",
    "show",
    "submit",
    "summarize",
    "tag",
    "tell",
    "update",
    "view",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_to_do_are_told_apart() {
        for (intent, expected) in [
            ("close issue 7", &["close issue 7"][..]),
            (
                "find the open bug reports, label them needs-triage and assign them to kim",
                &[
                    "find the open bug reports",
                    "label them needs-triage bug reports",
                    "assign them to kim bug reports",
                ],
            ),
            (
                "list issues and pull requests",
                &["list issues", "list pull requests"],
            ),
            (
                "show release v1.2.0, then close the milestone.",
                &["show release v1.2.0", "close the milestone"],
            ),
            ("", &[]),
            ("and, then.", &[]),
        ] {
            assert_eq!(clauses(intent), expected, "{intent}");
        }
    }
}
