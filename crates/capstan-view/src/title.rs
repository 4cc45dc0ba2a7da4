//! Titles of lists.

use capstan_core::card::List;
use capstan_core::expr::{Root, Scope, Segment};
use serde_json::{Map, Value};

use crate::clean::single_line;

/// Words that follow the noun of a title: `issues in acme/rocket`.
const LINKING: [&str; 16] = [
    "in", "of", "on", "with", "by", "for", "from", "to", "at", "that", "about", "without",
    "labelled", "assigned", "matching", "found",
];

/// Returns the card's title, rendered with the input, or else the name of the field.
pub(crate) fn render(list: Option<&List>, field: &str, input: &Map<String, Value>) -> String {
    let scope = Value::Object(input.clone());
    let words = list
        .and_then(|list| list.title.as_ref())
        .and_then(|title| title.render(&Scope::new(&scope, &Map::new())))
        .map(|title| single_line(&title))
        .filter(|title| !title.is_empty())
        .unwrap_or_else(|| single_line(&field.replace('_', " ")));
    match words.strip_prefix("all ") {
        Some(rest) => rest.to_owned(),
        None => words,
    }
}

/// Returns whether the title contains an input of this name with this value.
pub(crate) fn contains_input(list: Option<&List>, title: &str, name: &str, value: &str) -> bool {
    let Some(template) = list.and_then(|list| list.title.as_ref()) else {
        return false;
    };
    let mut paths = template.expressions().flat_map(|expr| expr.paths());
    let is_shown = paths.any(|path| {
        path.root == Root::This
            && matches!(path.segments.as_slice(), [Segment::Key(key)] if key == name)
    });
    is_shown && title.split(' ').any(|word| word == value)
}

/// Returns the title with its count: `7 open issues`, `1 open issue`, `3 of 11 open issues`.
pub(crate) fn counted(rows: usize, total: Option<u64>, title: &str) -> String {
    match total.filter(|total| u64::try_from(rows).is_ok_and(|rows| *total > rows)) {
        Some(total) => format!("{rows} of {total} {title}"),
        None if rows == 1 => format!("1 {}", singular(title)),
        None => format!("{rows} {title}"),
    }
}

fn singular(title: &str) -> String {
    let mut words: Vec<_> = title.split(' ').map(str::to_owned).collect();
    let linking = words
        .iter()
        .position(|word| LINKING.contains(&word.as_str()));
    let head = linking.unwrap_or(words.len()).checked_sub(1);
    if let Some(word) = head.and_then(|head| words.get_mut(head)) {
        *word = singular_word(word);
    }
    words.join(" ")
}

fn singular_word(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    let has_two_letters_more = ["ches", "shes", "sses", "xes", "tuses"]
        .iter()
        .any(|end| word.ends_with(end));
    let stem = if has_two_letters_more {
        word.strip_suffix("es")
    } else if ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        None
    } else {
        word.strip_suffix('s')
    };
    stem.filter(|stem| !stem.is_empty())
        .unwrap_or(word)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_many_is_singular() {
        for (many, one) in [
            ("open issues", "open issue"),
            ("issues in acme/rockets", "issue in acme/rockets"),
            ("open issues labelled \"ui\"", "open issue labelled \"ui\""),
            (
                "issues matching \"all tags\"",
                "issue matching \"all tags\"",
            ),
            ("branches", "branch"),
            ("repositories", "repository"),
            ("statuses", "status"),
            ("releases", "release"),
            ("status", "status"),
            ("s", "s"),
            ("", ""),
            ("of", "of"),
        ] {
            assert_eq!(singular(many), one);
        }
    }

    #[test]
    fn a_page_is_some_of_all() {
        assert_eq!(counted(3, Some(11), "issues"), "3 of 11 issues");
        assert_eq!(counted(1, Some(11), "issues"), "1 of 11 issues");
        assert_eq!(counted(3, Some(3), "issues"), "3 issues");
        assert_eq!(counted(1, None, "issues"), "1 issue");
    }
}
