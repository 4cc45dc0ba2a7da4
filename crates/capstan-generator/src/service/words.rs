//! Words of paths and names of operations.

/// Returns the words of a name: `PostCustomersCustomer`, `post-customers-customer` and `post_customers_customer` have
/// the same.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut previous = None;
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let is_start = c.is_ascii_uppercase()
            && previous.is_some_and(|before: char| {
                let ends_acronym = before.is_ascii_uppercase()
                    && rest.peek().is_some_and(char::is_ascii_lowercase);
                before.is_ascii_lowercase() || before.is_ascii_digit() || ends_acronym
            });
        if (is_start || !c.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
        previous = Some(c);
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Returns a part of an id for a name, or nothing if the name has no letters and no digits.
pub(super) fn id_part(name: &str) -> Option<String> {
    let part = words_of(name).join("_");
    match part.chars().next() {
        Some(first) if first.is_ascii_digit() => Some(format!("n{part}")),
        Some(_) => Some(part),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{id_part, words_of};

    #[test]
    fn names_have_words() {
        for (name, words) in [
            ("PostCustomersCustomer", "post customers customer"),
            ("listHTTPRoutes", "list http routes"),
            ("get-v3_projects.id", "get v3 projects id"),
            ("oauth2Token", "oauth2 token"),
            ("", ""),
            ("--", ""),
        ] {
            assert_eq!(words_of(name).join(" "), words, "{name}");
        }
        assert_eq!(id_part("2fa").as_deref(), Some("n2fa"));
        assert_eq!(id_part("{}"), None);
    }
}
