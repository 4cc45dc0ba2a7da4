//! Splits a normalized text into words: at white space, with each punctuation mark as its own word.

use unicode_general_category::{GeneralCategory, get_general_category};

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().flat_map(|part| {
        part.split_inclusive(is_punctuation).flat_map(|part| {
            let mark = part.char_indices().next_back();
            let mark = mark.filter(|(_, char)| is_punctuation(*char));
            let (word, mark) = part.split_at(mark.map_or(part.len(), |(at, _)| at));
            [word, mark].into_iter().filter(|part| !part.is_empty())
        })
    })
}

fn is_punctuation(char: char) -> bool {
    use GeneralCategory::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation,
        InitialPunctuation, OpenPunctuation, OtherPunctuation,
    };
    if char.is_ascii() {
        return char.is_ascii_punctuation();
    }
    matches!(
        get_general_category(char),
        ConnectorPunctuation
            | DashPunctuation
            | OpenPunctuation
            | ClosePunctuation
            | InitialPunctuation
            | FinalPunctuation
            | OtherPunctuation
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(words(text).collect::<Vec<_>>(), expected, "{text:?}");
    }

    #[test]
    fn marks_are_words() {
        check(
            "hey, you?! it's",
            &["hey", ",", "you", "?", "!", "it", "'", "s"],
        );
        check("a…b—c", &["a", "…", "b", "—", "c"]);
        check("  ", &[]);
        check("$5 + 5", &["$", "5", "+", "5"]);
    }
}
