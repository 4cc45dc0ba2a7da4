//! Recognizes names of people, places and products, and numbers: a query mentions them but does not
//! ask for them.

use super::{meaningful, words};

/// Returns the text without unknown names and numbers. Returns the whole text if no meaningful word
/// is left, or if it has no lower-case letters, because then names cannot be recognized.
pub(crate) fn without_unknown(text: &str, is_known: impl Fn(&str) -> bool) -> String {
    if !text.contains(char::is_lowercase) {
        return text.to_owned();
    }
    let mut kept = String::with_capacity(text.len());
    let mut end = 0;
    let mut begins_sentence = true;
    for word in words(text) {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let between = &text[end..start];
        begins_sentence |= between.contains(['.', '?', '!', ':', '"']);
        let is_name = word.starts_with(char::is_uppercase) && !begins_sentence;
        let is_number = word.starts_with(char::is_numeric);
        kept.push_str(between);
        if !(is_name || is_number) || is_known(word) {
            kept.push_str(word);
        }
        end = start + word.len();
        begins_sentence = false;
    }
    kept.push_str(&text[end..]);
    if meaningful(&kept).next().is_none() {
        return text.to_owned();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let kept = without_unknown(text, |word| ["GitHub", "2"].contains(&word));
        let kept: Vec<_> = kept.split_whitespace().collect();
        assert_eq!(kept.join(" "), expected, "{text}");
    }

    #[test]
    fn unknown_names_and_numbers_are_left_out() {
        check(
            "List movies by Sofia Coppola on GitHub",
            "List movies by on GitHub",
        );
        check("close issue 12 and 2", "close issue and 2");
    }

    #[test]
    fn what_begins_a_sentence_is_no_name() {
        check(
            "Close it. Reopen it! \"Then merge\"",
            "Close it. Reopen it! \"Then merge\"",
        );
    }

    #[test]
    fn something_is_always_left() {
        check("42", "42");
        check("the 42", "the 42");
        check("LIST ISSUES", "LIST ISSUES");
        check("", "");
    }
}
