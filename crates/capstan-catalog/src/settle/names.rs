//! One name in the two ways in which people write it: `issue_number` and `issueNumber`.

/// `issue_number` becomes `issueNumber`; what has no underscore stays.
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

/// The one of `known` that is `name`, else the one that is `name` in the other spelling.
pub(super) fn find<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    let same = |candidate: &&str| *candidate == name;
    let alike = |candidate: &&str| camel(candidate) == camel(name);
    known
        .clone()
        .find(same)
        .or_else(|| known.clone().find(alike))
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
