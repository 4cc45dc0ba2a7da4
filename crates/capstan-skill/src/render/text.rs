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
