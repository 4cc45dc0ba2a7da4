//! Makes text from others safe for a terminal. Anyone can write an issue, so its text must not contain control
//! sequences when it is printed.

use std::borrow::Cow;

/// Escapes every control character except line ends and tabs, so that it is visible and has no effect.
pub(crate) fn sanitize(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe_char) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() == Some(&'\n') => {}
            c if is_unsafe_char(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Whether a terminal would act on a character: a control character other than a line end or a tab, or a character that
/// changes the direction of text.
pub(super) fn is_unsafe_char(c: char) -> bool {
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
            assert_eq!(sanitize(text), shown);
        }
    }
}
