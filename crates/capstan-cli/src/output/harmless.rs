//! Text from GitHub on a terminal. Anyone can write an issue; nobody may steer a reader's terminal.

use std::borrow::Cow;

/// The text with every control character made visible, apart from line ends and tabs.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() == Some(&'\n') => {}
            c if steers(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Control characters, and those that reorder the text around them.
pub(super) fn steers(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown_instead() {
        for (text, shown) in [
            ("plain ünïcödé 🚀\n\tdone", "plain ünïcödé 🚀\n\tdone"),
            ("a\r\nb", "a\nb"),
            ("a\rb", "a\\u{d}b"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\u{9b}2J\u{7f}", "\\u{9b}2J\\u{7f}"),
            ("x\u{202e}y", "x\\u{202e}y"),
        ] {
            assert_eq!(harmless(text), shown);
        }
    }
}
