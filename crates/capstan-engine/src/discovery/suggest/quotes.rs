//! Splits a text into words and quoted texts. Quoted text is always a value.
//!
//! Every letter of a text is in a word outside quotes or in a quoted text, so reading both reads everything.

use std::ops::Range;

/// A word with its punctuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// Whether all its letters are inside quotes.
    pub(super) is_quoted: bool,
    /// Whether a quote continues after it.
    pub(super) continues_quote: bool,
}

/// Splits a text into words. An unclosed quotation mark is no quote.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let quotes = quote_ranges(text);
    let word = |Range { start, end }: Range<usize>| {
        let overlapping: Vec<_> = quotes
            .iter()
            .filter(|quote| quote.start < end && start < quote.end)
            .collect();
        let is_inside_quote = |index: usize| overlapping.iter().any(|quote| quote.contains(&index));
        let mut letters = text[start..end]
            .char_indices()
            .filter(|(_, c)| !PUNCTUATION.contains(c));
        Word {
            text: &text[start..end],
            is_quoted: !overlapping.is_empty()
                && letters.all(|(index, _)| is_inside_quote(start + index)),
            continues_quote: overlapping.iter().any(|quote| end < quote.end),
        }
    };
    word_ranges(text).into_iter().map(word).collect()
}

/// Returns the words outside quotes.
pub(super) fn unquoted_words(text: &str) -> Vec<&str> {
    words(text)
        .into_iter()
        .filter(|word| !word.is_quoted)
        .map(|word| word.text)
        .collect()
}

/// A quoted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QuotedText {
    pub(super) text: String,
    /// The word before it, in lower case.
    pub(super) before: String,
}

/// Returns the quoted texts that are not empty.
pub(super) fn quoted_texts(text: &str) -> Vec<QuotedText> {
    let all = quote_ranges(text).into_iter().map(|quote| {
        let before = text[..quote.start].trim_end_matches(PUNCTUATION);
        let before = before.split_whitespace().last();
        QuotedText {
            // Without its quotation marks, one character at each end.
            text: {
                let mut inner = text[quote].chars();
                inner.next();
                inner.next_back();
                inner.as_str().trim().to_owned()
            },
            before: before.map(normalized).unwrap_or_default(),
        }
    });
    all.filter(|quoted| !quoted.text.is_empty()).collect()
}

/// Returns a word in lower case, without the punctuation around it.
pub(super) fn normalized(word: &str) -> String {
    trimmed(word).to_lowercase()
}

/// Returns a word without the punctuation around it.
pub(super) fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| PUNCTUATION.contains(&c) || is_quote(c))
}

/// Characters around words and values that are not part of them.
const PUNCTUATION: [char; 10] = [',', ';', '.', ':', '!', '?', '(', ')', '\'', '`'];

/// Opening quotation marks, each with its closing marks.
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

/// Single marks open a quote only at the start of a word and close it only at the end of one. Elsewhere they
/// are apostrophes.
const SINGLE_QUOTES: [(char, char); 2] = [('\'', '\''), ('‘', '’')];

/// Returns the byte ranges of quotes, including their marks.
fn quote_ranges(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    let opens = |c: char| is_quote(c) || SINGLE_QUOTES.iter().any(|(opens, _)| *opens == c);
    while let Some((index, c)) = find_char(text, from, opens) {
        let inner = index + c.len_utf8();
        let single = SINGLE_QUOTES.iter().find(|(opens, _)| *opens == c);
        let end = if let Some((_, ends)) = single {
            end_of_single_quote(text, index, inner, *ends)
        } else {
            let ends = QUOTES.iter().find(|(opens, _)| *opens == c);
            ends.and_then(|(_, ends)| find_char(text, inner, |c| ends.contains(&c)))
        };
        from = inner;
        if let Some((end, c)) = end {
            from = end + c.len_utf8();
            found.push(index..from);
        }
    }
    found
}

/// Returns where a quote with a single opening mark ends, or `None` if the mark is an apostrophe:
/// `'no-repro'` is a quote, `don't` and `users'` are not.
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
    let ends = |(index, c): &(usize, char)| {
        let following = text[inner + index + c.len_utf8()..].chars().next();
        *c == mark && *index > 0 && following.is_none_or(ends_word)
    };
    let mut inside = text[inner..].char_indices();
    inside.find(ends).map(|(index, c)| (inner + index, c))
}

fn find_char(text: &str, from: usize, is: impl Fn(char) -> bool) -> Option<(usize, char)> {
    let mut rest = text[from..].char_indices();
    let (index, c) = rest.find(|(_, c)| is(*c))?;
    Some((from + index, c))
}

fn word_ranges(text: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut from = 0;
    while let Some((start, _)) = find_char(text, from, |c| !c.is_whitespace()) {
        let end = find_char(text, start, char::is_whitespace);
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
            let found: Vec<_> = quoted_texts(text).into_iter().map(|it| it.text).collect();
            assert_eq!(found, inside, "{text}");
            assert_eq!(unquoted_words(text), outside, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_letter_is_lost(text in "[ab1\"'‘’“”„«» ,]{0,24}") {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
            let outside: usize = unquoted_words(&text).into_iter().map(letters).sum();
            let inside: usize = quoted_texts(&text).iter().map(|it| letters(&it.text)).sum();
            prop_assert!(outside + inside >= letters(&text), "{outside} {inside}");
        }

        #[test]
        fn words_are_as_they_stand(text in any::<String>()) {
            let again: Vec<_> = words(&text).iter().map(|word| word.text).collect();
            prop_assert_eq!(again, text.split_whitespace().collect::<Vec<_>>());
        }
    }
}
