//! Removes what is not meant to be read from a text: control characters, terminal escapes, and characters
//! that change the direction of other text or hide it.

use std::iter::Peekable;
use std::str::Chars;

const ESCAPE: char = '\u{1b}';
/// The single character that is equivalent to `ESC [`.
const CONTROL_SEQUENCE: char = '\u{9b}';

/// Returns a clean text that keeps line breaks (as `\n`) and tabs.
pub(crate) fn clean(text: &str) -> String {
    if all_bytes(text, is_plain) {
        return text.to_owned();
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            ' '..='~' | '\n' | '\t' => kept.push(c),
            '\r' => {
                rest.next_if_eq(&'\n');
                kept.push('\n');
            }
            '\u{2028}' | '\u{2029}' => kept.push('\n'),
            ESCAPE => skip_escape(&mut rest),
            CONTROL_SEQUENCE => skip_sequence(&mut rest),
            c if c.is_control() || changes_or_hides_text(c) => {}
            c => kept.push(c),
        }
    }
    kept
}

/// Returns a clean text in one line, with single spaces.
pub(crate) fn single_line(text: &str) -> String {
    let is_single_line = all_bytes(text, |byte| matches!(byte, b' '..=b'~'))
        && !text.contains("  ")
        && text.trim().len() == text.len();
    if is_single_line {
        return text.to_owned();
    }
    let clean = clean(text);
    let words: Vec<_> = clean.split_whitespace().collect();
    words.join(" ")
}

/// Returns whether all bytes fit. Without a branch for each byte, the loop is vectorized.
fn all_bytes(text: &str, fits: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(true, |all, byte| all & fits(byte))
}

/// Returns whether a byte is a character of its own that is kept in every text.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t')
}

/// Returns whether a character overrides or isolates the writing direction, or is a tag that spells invisible
/// text.
fn changes_or_hides_text(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

fn skip_escape(rest: &mut Peekable<Chars<'_>>) {
    match rest.peek() {
        Some('[') => {
            rest.next();
            skip_sequence(rest);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            rest.next();
            skip_string(rest);
        }
        _ => {
            while rest.next_if(|c| matches!(c, ' '..='/')).is_some() {}
            rest.next_if(|c| matches!(c, '0'..='~'));
        }
    }
}

/// Skips parameters and the letter that ends them: `31m`.
fn skip_sequence(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|c| matches!(c, ' '..='?')).is_some() {}
    rest.next_if(|c| matches!(c, '@'..='~'));
}

/// Skips a title or a link that ends on the same line. One that does not end hides nothing.
fn skip_string(rest: &mut Peekable<Chars<'_>>) {
    let mut ahead = rest.clone();
    while let Some(c) = ahead.next() {
        let ends = match c {
            '\u{7}' | '\u{9c}' => true,
            ESCAPE => ahead.next_if_eq(&'\\').is_some(),
            '\n' => return,
            _ => false,
        };
        if ends {
            *rest = ahead;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_terminals_obey_is_dropped() {
        for (dirty, read) in [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{9b}1;31mred", "red"),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{1b}]8;;http://a\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}]never ends", "never ends"),
            ("\u{1b}(Btext", "text"),
            ("a\u{0}b\u{7f}c\u{8}", "abc"),
            ("\u{1b}", ""),
        ] {
            assert_eq!(clean(dirty), read, "{dirty:?}");
        }
    }

    #[test]
    fn what_turns_or_hides_text_is_dropped() {
        assert_eq!(clean("user\u{202e}gnp.exe\u{2066}!"), "usergnp.exe!");
        assert_eq!(clean("ok\u{e0049}\u{e0067}"), "ok");
    }

    #[test]
    fn lines_and_tabs_stay_and_other_scripts_too() {
        assert_eq!(clean("a\r\nb\rc\td"), "a\nb\nc\td");
        assert_eq!(clean("שלום 実 é\u{301} 👩‍🚀"), "שלום 実 é\u{301} 👩‍🚀");
        assert_eq!(single_line(" a\n\n b\t c "), "a b c");
    }
}
