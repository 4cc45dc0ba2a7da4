//! Matches the two spellings of a name: `issue_number` and `issueNumber`.

/// Converts `issue_number` to `issueNumber`. A name without an underscore stays as it is.
pub(super) fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.extend(letters);
    }
    camel
}

/// Converts `issueNumber` to `issue_number`. A name without a capital stays as it is.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// Returns the name in `known` that equals `name`, or else the first that equals it in the other
/// spelling.
pub(super) fn find<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut alike = None;
    for candidate in known {
        if candidate == name {
            return Some(candidate);
        }
        if alike.is_none() && camel(candidate) == camel(name) {
            alike = Some(candidate);
        }
    }
    alike
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_are_one_name() {
        let known = ["createdAt", "created_at", "number"];
        assert_eq!(find("created_at", known.into_iter()), Some("created_at"));
        assert_eq!(find("createdAt", known.into_iter()), Some("createdAt"));
        assert_eq!(
            find("created_at", ["createdAt"].into_iter()),
            Some("createdAt")
        );
        assert_eq!(
            find("createdAt", ["created_at"].into_iter()),
            Some("created_at")
        );
        assert_eq!(find("created", known.into_iter()), None);
    }
}
