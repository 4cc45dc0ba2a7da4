//! Text that others wrote, made fit for one line of a picture.

use unicode_width::UnicodeWidthChar as _;

/// One line, without anything that moves a cursor, turns the direction of writing or has no place in XML.
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

/// At most so many columns; what is cut ends in `…`.
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

/// Lines of at most so many columns, broken between words; what is more than so many lines ends in `…`.
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
        // A word that is wider than everything is broken where the line ends.
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

/// The last space in what fits, or just after it.
fn next_space(text: &str, end: usize) -> Option<usize> {
    match text[end..].starts_with(' ') {
        true => Some(end),
        false => text[..end].rfind(' '),
    }
}

/// How many columns of a terminal a text takes at most.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(width_of).sum()
}

/// What stands on the letter before it counts too, so that thousands of accents are no short text.
fn width_of(c: char) -> usize {
    c.width().unwrap_or(0).max(1)
}

/// For text and attributes of XML and HTML.
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
