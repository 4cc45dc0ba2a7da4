//! Compares the name of an input with the name of a value.

/// Names of lists and envelopes that say nothing about their content.
const ANYTHING: [&str; 9] = [
    "data", "edges", "items", "list", "node", "nodes", "result", "results", "rows",
];

/// Returns whether the names agree: `number` with `number`; `issue_number` with `number`, with
/// `issue.number` and in `issues`, but not with `milestone.number`. `above` is the name of the
/// object that has the given value.
pub(super) fn agrees(input: &str, given: &str, above: Option<&str>) -> bool {
    let (input, given) = (words(input), words(given));
    if input == given {
        return true;
    }
    let above = above.map(words);
    let above = above.filter(|it| !ANYTHING.contains(&it.as_str()));
    match (before(&input, &given), above) {
        (Some(owner), Some(above)) => owner.ends_with(above.trim_end_matches('s')),
        (Some(_), None) => true,
        (None, _) => before(&given, &input).is_some(),
    }
}

/// Returns a name in lower case, with its words separated by `_`.
pub(super) fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut after_small = false;
    for letter in name.chars() {
        if letter == '-' {
            words.push('_');
        } else {
            if letter.is_ascii_uppercase() && after_small {
                words.push('_');
            }
            words.push(letter.to_ascii_lowercase());
        }
        after_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    words
}

/// Returns the words before the last words of a name.
fn before<'a>(long: &'a str, short: &str) -> Option<&'a str> {
    long.strip_suffix(short)?.strip_suffix('_')
}

#[cfg(test)]
mod tests {
    use super::agrees;

    #[test]
    fn names_agree_by_their_endings() {
        for (input, given, above) in [
            ("number", "number", None),
            ("issue_number", "number", None),
            ("issueNumber", "number", None),
            ("pull-number", "number", None),
            ("number", "issue_number", None),
            ("issue_number", "number", Some("issue")),
            ("issue_number", "number", Some("issues")),
            ("issue_number", "number", Some("items")),
            ("login", "login", Some("author")),
        ] {
            assert!(agrees(input, given, above), "{input} {given} {above:?}");
        }
        for (input, given, above) in [
            ("issue_number", "number", Some("milestone")),
            ("issue_number", "number", Some("milestones")),
            ("number", "renumber", None),
            ("title", "name", None),
        ] {
            assert!(!agrees(input, given, above), "{input} {given} {above:?}");
        }
    }
}
