//! Prepares foreign text for one line of a picture.

use unicode_width::UnicodeWidthChar as _;

/// Returns the text as one line, without characters that move a cursor, change the writing direction or are
/// not allowed in XML.
pub(super) fn plain(text: &str) -> String {
    let shown = text.trim().chars().map(|c| match c {
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    });
    shown.collect()
}

/// Cuts a text to at most `columns` columns; a cut text ends in `…`.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut used = 0;
    let mut kept = String::new();
    for c in text.chars() {
        used += width_of(c);
        if used + 1 > columns {
            break;
        }
        kept.push(c);
    }
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

/// Wraps a text between words into at most `lines` lines of at most `columns` columns. A cut text ends in
/// `…`.
pub(super) fn wrapped(text: &str, columns: usize, lines: usize) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        if all.len() + 1 == lines || width(rest) <= columns {
            all.push(cut(rest, columns));
            break;
        }
        let mut used = 0;
        let fits = rest.char_indices().find(|(_, c)| {
            used += width_of(*c);
            used > columns
        });
        let end = fits.map_or(rest.len(), |(at, _)| at);
        // A word that is wider than a line is broken at the end of the line.
        let space = next_space(rest, end);
        let end = match (space.filter(|at| *at > 0), end) {
            (Some(space), _) => space,
            (None, 0) => rest.chars().next().map_or(rest.len(), char::len_utf8),
            (None, end) => end,
        };
        all.push(rest[..end].trim_end().to_owned());
        rest = rest[end..].trim_start();
    }
    all
}

/// Returns the last space before `end`, or the one at `end`.
fn next_space(text: &str, end: usize) -> Option<usize> {
    if text[end..].starts_with(' ') {
        Some(end)
    } else {
        text[..end].rfind(' ')
    }
}

/// Returns the largest number of terminal columns that a text occupies.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(width_of).sum()
}

/// Returns the width of a character. Combining characters count too, so that a text with thousands of accents
/// is not short.
fn width_of(c: char) -> usize {
    c.width().unwrap_or(0).max(1)
}

/// Escapes a text for XML and HTML, both for content and for attributes.
pub(super) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in plain(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_break_between_words() {
        for (text, lines, expected) in [
            ("", 3, vec![]),
            ("if a == b", 3, vec!["if a == b"]),
            ("if one == two", 3, vec!["if one ==", "two"]),
            ("0123456789", 3, vec!["0123456789"]),
            ("0123456789ab cd", 3, vec!["0123456789", "ab cd"]),
            (
                "one two 漢字漢字 three four five",
                2,
                vec!["one two", "漢字漢字…"],
            ),
        ] {
            assert_eq!(wrapped(text, 10, lines), expected, "{text}");
        }
    }
}
