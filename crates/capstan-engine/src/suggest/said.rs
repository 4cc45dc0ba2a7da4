//! Values that stand in an intent: `acme/rocket`, `#12`, `"a title"`, `@kim`.

/// What was said, as far as it can be told without knowing what it is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) repository: Option<(String, String)>,
    /// Numbers, each with the words before it.
    pub(crate) numbers: Vec<(String, u64)>,
    pub(crate) logins: Vec<String>,
    pub(crate) quoted: Vec<String>,
}

impl Said {
    pub(crate) fn of(intent: &str) -> Self {
        let mut said = Self {
            quoted: quoted(intent),
            ..Self::default()
        };
        let mut before = String::new();
        for word in intent.split_whitespace() {
            let word = word.trim_matches(|c: char| ",;.:!?()\"'`".contains(c));
            if let Some((owner, repo, number)) = repository(word) {
                said.repository.get_or_insert((owner, repo));
                if let Some(number) = number {
                    said.numbers.push((before.clone(), number));
                }
            } else if let Some(number) = number(word) {
                said.numbers.push((before.clone(), number));
            } else if let Some(login) = word.strip_prefix('@').filter(|it| is_login(it)) {
                said.logins.push(login.to_owned());
            }
            before = word.to_lowercase();
        }
        said
    }

    /// The number of a thing: the one that stands behind its name, else the only one there is.
    pub(crate) fn number_of(&self, names: &[&str]) -> Option<u64> {
        let named = |(before, _): &&(String, u64)| {
            let singular = before.strip_suffix('s').unwrap_or(before);
            names.contains(&singular)
        };
        let found = self.numbers.iter().find(named);
        found
            .or_else(|| match self.numbers.as_slice() {
                [only] => Some(only),
                _ => None,
            })
            .map(|(_, number)| *number)
    }
}

/// A text without what only says which one: values, and the words that lead to them. What is left says what
/// is to be done.
pub(super) fn without_values(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut is_quoted = false;
    for word in text.split_whitespace() {
        let quotes = word.chars().filter(|c| "\"“”".contains(*c)).count();
        let was_quoted = is_quoted;
        is_quoted ^= quotes % 2 == 1;
        let bare = word.trim_matches(|c: char| ",;.:!?()\"'`“”".contains(c));
        let is_value = was_quoted
            || quotes > 0
            || number(bare).is_some()
            || repository(bare).is_some()
            || bare.starts_with('@')
            // Names of labels and branches: `ready-for-review`.
            || bare.matches('-').count() >= 2;
        if !is_value {
            kept.push(word);
            continue;
        }
        while kept
            .last()
            .is_some_and(|last| LEADS_TO_VALUES.contains(last))
        {
            kept.pop();
        }
    }
    match kept.is_empty() {
        true => text.to_owned(),
        false => kept.join(" "),
    }
}

const LEADS_TO_VALUES: [&str; 8] = ["at", "by", "from", "in", "of", "on", "to", "with"];

/// `owner/repo`, and the number behind it if there is one.
fn repository(word: &str) -> Option<(String, String, Option<u64>)> {
    let (path, number) = match word.split_once('#') {
        Some((path, number)) => (path, number.parse().ok()),
        None => (word, None),
    };
    let (owner, repo) = path.split_once('/')?;
    let is_repo = !repo.is_empty()
        && repo.len() <= 100
        && repo
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    // `and/or`, `1/2`: owners that are no names are rare, so letters are asked for.
    let named = |text: &str| text.chars().any(char::is_alphabetic);
    (is_login(owner) && is_repo && named(owner) && named(repo))
        .then(|| (owner.to_owned(), repo.to_owned(), number))
}

fn number(word: &str) -> Option<u64> {
    let digits = word.strip_prefix('#').unwrap_or(word);
    digits.parse().ok().filter(|number| *number > 0)
}

fn is_login(text: &str) -> bool {
    (1..=39).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// What stands between double quotes, plain or curly.
fn quoted(intent: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (place, c) in intent.char_indices() {
        match (c, open) {
            ('"' | '“', None) => open = Some(place + c.len_utf8()),
            ('"' | '”', Some(start)) => {
                let text = intent[start..place].trim();
                if !text.is_empty() {
                    found.push(text.to_owned());
                }
                open = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_found() {
        let said = Said::of(
            "on acme/rocket close issue 12, merge PR #7 and tell @kim \"it is done\" or not and/or",
        );
        assert_eq!(said.repository, Some(("acme".into(), "rocket".into())));
        assert_eq!(said.number_of(&["issue", "ticket"]), Some(12));
        assert_eq!(said.number_of(&["pr", "pull"]), Some(7));
        assert_eq!(said.number_of(&["release"]), None);
        assert_eq!(said.logins, ["kim"]);
        assert_eq!(said.quoted, ["it is done"]);
        let said = Said::of("show acme/rocket#5");
        assert_eq!(said.number_of(&["issue"]), Some(5));
        assert_eq!(
            Said::of("half, 1/2, a “b” c"),
            Said {
                quoted: vec!["b".into()],
                ..Said::default()
            }
        );
    }

    #[test]
    fn what_is_to_be_done_is_left() {
        for (text, expected) in [
            ("close issue 3 in acme/rocket", "close issue"),
            ("comment \"it is done\" on #7", "comment"),
            ("assign @kim to the bug", "assign to the bug"),
            ("swap wip for ready-for-review", "swap wip for"),
            ("acme/rocket", "acme/rocket"),
        ] {
            assert_eq!(without_values(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in any::<String>()) {
            without_values(&text);
            let said = Said::of(&text);
            prop_assert!(said.numbers.len() <= text.len());
        }
    }
}
