//! Words, and what stands between quotes: a value, whatever it says.
//!
//! Every letter of an intent is either in a word outside quotes or in what is quoted. Whoever looks at both
//! has seen everything that was said.

use std::ops::Range;

/// A word as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// It says nothing but what is quoted.
    pub(super) is_quoted: bool,
    /// The quote goes on behind it.
    pub(super) is_open: bool,
}

/// The words of a text. A quote that nobody ends is none.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let quotes = quotes(text);
    let word = |Range { start, end }: Range<usize>| {
        let near: Vec<_> = quotes
            .iter()
            .filter(|quote| quote.start < end && start < quote.end)
            .collect();
        let is_within = |place: usize| near.iter().any(|quote| quote.contains(&place));
        let mut telling = text[start..end]
            .char_indices()
            .filter(|(_, c)| !PUNCTUATION.contains(c));
        Word {
            text: &text[start..end],
            is_quoted: !near.is_empty() && telling.all(|(place, _)| is_within(start + place)),
            is_open: near.iter().any(|quote| end < quote.end),
        }
    };
    places_of_words(text).into_iter().map(word).collect()
}

/// The words that are not between quotes.
pub(super) fn outside_quotes(text: &str) -> Vec<&str> {
    words(text)
        .into_iter()
        .filter(|word| !word.is_quoted)
        .map(|word| word.text)
        .collect()
}

/// A text between quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quoted {
    pub(super) text: String,
    /// The word before it, in small letters.
    pub(super) before: String,
}

/// What stands between quotes.
pub(super) fn quoted(text: &str) -> Vec<Quoted> {
    let all = quotes(text).into_iter().map(|quote| {
        let before = text[..quote.start].trim_end_matches(PUNCTUATION);
        let before = before.split_whitespace().last();
        Quoted {
            // Without its marks, which are one character at each end.
            text: {
                let mut inner = text[quote].chars();
                inner.next();
                inner.next_back();
                inner.as_str().trim().to_owned()
            },
            before: before.map(plain).unwrap_or_default(),
        }
    });
    all.filter(|quoted| !quoted.text.is_empty()).collect()
}

/// A word in small letters, without what stands around it.
pub(super) fn plain(word: &str) -> String {
    bare(word).to_lowercase()
}

/// A word without what stands around it.
pub(super) fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| PUNCTUATION.contains(&c) || is_quote(c))
}

/// Around words and values, and no part of them.
const PUNCTUATION: [char; 10] = [',', ';', '.', ':', '!', '?', '(', ')', '\'', '`'];

/// What opens a quote, and what ends it.
const QUOTES: [(char, &[char]); 5] = [
    ('"', &['"']),
    ('“', &['”']),
    ('”', &['”']),
    ('„', &['“', '”']),
    ('«', &['»']),
];

fn is_quote(c: char) -> bool {
    QUOTES
        .iter()
        .any(|(opens, ends)| c == *opens || ends.contains(&c))
}

/// What opens a quote at the beginning of a word, and what ends it at the end of one. Elsewhere it is an apostrophe.
const SINGLE_QUOTES: [(char, char); 2] = [('\'', '\''), ('‘', '’')];

/// Where quotes stand, with their marks.
fn quotes(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    let opens = |c: char| is_quote(c) || SINGLE_QUOTES.iter().any(|(opens, _)| *opens == c);
    while let Some((place, c)) = next(text, from, opens) {
        let inner = place + c.len_utf8();
        let single = SINGLE_QUOTES.iter().find(|(opens, _)| *opens == c);
        let end = if let Some((_, ends)) = single {
            end_of_single_quote(text, place, inner, *ends)
        } else {
            let ends = QUOTES.iter().find(|(opens, _)| *opens == c);
            ends.and_then(|(_, ends)| next(text, inner, |c| ends.contains(&c)))
        };
        from = inner;
        if let Some((end, c)) = end {
            from = end + c.len_utf8();
            found.push(place..from);
        }
    }
    found
}

/// Where a quote ends that begins with a single mark, if it is one: `'no-repro'`, but not `don't` or `users'`.
fn end_of_single_quote(
    text: &str,
    start: usize,
    inner: usize,
    mark: char,
) -> Option<(usize, char)> {
    let begins_word = |c: char| c.is_whitespace() || "([:=".contains(c);
    if !text[..start].chars().next_back().is_none_or(begins_word) {
        return None;
    }
    let ends_word = |c: char| c.is_whitespace() || ",;.:!?)]".contains(c);
    let ends = |(place, c): &(usize, char)| {
        let behind = text[inner + place + c.len_utf8()..].chars().next();
        *c == mark && *place > 0 && behind.is_none_or(ends_word)
    };
    let mut inside = text[inner..].char_indices();
    inside.find(ends).map(|(place, c)| (inner + place, c))
}

fn next(text: &str, from: usize, is: impl Fn(char) -> bool) -> Option<(usize, char)> {
    let mut rest = text[from..].char_indices();
    let (place, c) = rest.find(|(_, c)| is(*c))?;
    Some((from + place, c))
}

fn places_of_words(text: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some((start, _)) = next(text, from, |c| !c.is_whitespace()) {
        let end = next(text, start, char::is_whitespace);
        from = end.map_or(text.len(), |(end, _)| end);
        places.push(start..from);
    }
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quotes_are_told_from_the_rest() {
        for (text, inside, outside) in [
            (
                "comment \"it is done\" on it",
                &["it is done"][..],
                &["comment", "on", "it"][..],
            ),
            ("a “b” c, \"d", &["b"], &["a", "c,", "\"d"]),
            ("a ”b” c", &["b"], &["a", "c"]),
            ("„b“ and «c d».", &["b", "c d"], &["and"]),
            ("now\"\" \"\"", &[], &["now\"\""]),
            ("“a “b” now”", &["a “b"], &["now”"]),
            ("label:\"bug\"", &["bug"], &["label:\"bug\""]),
            ("(\"bug\"),", &["bug"], &[]),
            ("a 5\" screen", &[], &["a", "5\"", "screen"]),
            ("say \"so\"what\"", &["so"], &["say", "\"so\"what\""]),
            ("say \"“so” it is\"", &["“so” it is"], &["say"]),
            ("❌\"so\" -\"\"", &["so"], &["❌\"so\"", "-\"\""]),
            (
                "say 'do not, merge' it, don't",
                &["do not, merge"],
                &["say", "it,", "don't"],
            ),
            ("label 'no-repro', now", &["no-repro"], &["label", "now"]),
            ("say 'it doesn't work'", &["it doesn't work"], &["say"]),
            ("say ‘it doesn’t’ now", &["it doesn’t"], &["say", "now"]),
            ("the users' issue", &[], &["the", "users'", "issue"]),
            ("'tis done", &[], &["'tis", "done"]),
        ] {
            let found: Vec<_> = quoted(text).into_iter().map(|it| it.text).collect();
            assert_eq!(found, inside, "{text}");
            assert_eq!(outside_quotes(text), outside, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_letter_is_lost(text in "[ab1\"'‘’“”„«» ,]{0,24}") {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
            let outside: usize = outside_quotes(&text).into_iter().map(letters).sum();
            let inside: usize = quoted(&text).iter().map(|it| letters(&it.text)).sum();
            prop_assert!(outside + inside >= letters(&text), "{outside} {inside}");
        }

        #[test]
        fn words_are_as_they_stand(text in any::<String>()) {
            let again: Vec<_> = words(&text).iter().map(|word| word.text).collect();
            prop_assert_eq!(again, text.split_whitespace().collect::<Vec<_>>());
        }
    }
}
