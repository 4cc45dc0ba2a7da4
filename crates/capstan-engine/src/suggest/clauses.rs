//! What somebody asks for, cut into the things to do: "find the open bugs, label them and tell kim" is
//! three of them.

use super::words::is_state;

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) text: String,
    /// Its words, in small letters and without punctuation.
    pub(super) words: Vec<String>,
}

/// Nobody asks for more in one breath; what comes later is left out.
const MOST: usize = 8;

/// Cuts at punctuation and conjunctions.
pub(super) fn clauses(intent: &str) -> Vec<Clause> {
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    for word in intent.split_whitespace() {
        if CONJUNCTIONS.contains(&plain(word).as_str()) {
            parts.push(Vec::new());
            continue;
        }
        if let Some(last) = parts.last_mut() {
            last.push(word.trim_end_matches(ENDS));
        }
        // A full stop inside a word, as in `v1.2` or `issue.view`, is no end.
        if word.ends_with(ENDS) {
            parts.push(Vec::new());
        }
    }
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.take(MOST).map(|part| Clause::new(&part)).collect()
}

const ENDS: [char; 6] = [',', ';', '.', ':', '!', '?'];

const CONJUNCTIONS: [&str; 12] = [
    "after",
    "afterwards",
    "also",
    "and",
    "before",
    "finally",
    "followed",
    "next",
    "once",
    "plus",
    "then",
    "while",
];

impl Clause {
    fn new(part: &[&str]) -> Self {
        let words: Vec<String> = part.iter().map(|word| plain(word)).collect();
        // "open issues" are to be listed; nobody opens several at once.
        let is_list = match words.as_slice() {
            [first, .., last] => is_state(first) && last.ends_with('s'),
            _ => false,
        };
        match is_list {
            true => Self {
                text: format!("list {}", part.join(" ")),
                words: ["list".to_owned()].into_iter().chain(words).collect(),
            },
            false => Self {
                text: part.join(" "),
                words,
            },
        }
    }
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn things_to_do_are_told_apart() {
        for (intent, expected) in [
            ("close issue 7", &["close issue 7"][..]),
            (
                "find the open bug reports, label them needs-triage and assign them to kim",
                &[
                    "find the open bug reports",
                    "label them needs-triage",
                    "assign them to kim",
                ],
            ),
            (
                "Status: latest release, open PRs",
                &["Status", "latest release", "list open PRs"],
            ),
            (
                "show release v1.2.0, then close the milestone.",
                &["show release v1.2.0", "close the milestone"],
            ),
            ("", &[]),
            ("and, then.", &[]),
        ] {
            let found: Vec<_> = clauses(intent).into_iter().map(|it| it.text).collect();
            assert_eq!(found, expected, "{intent}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_asked_is_cut(intent in any::<String>()) {
            prop_assert!(clauses(&intent).len() <= MOST);
        }
    }
}
