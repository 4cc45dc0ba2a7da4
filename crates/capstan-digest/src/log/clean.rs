//! Removes from the lines of a log what the runner and terminals add: times, colours, and marks.

use std::borrow::Cow;

/// `2026-11-18T22:55:08.1234567Z `, at the beginning of every line.
const TIME: &[u8] = b"dddd-dd-ddTdd:dd:dd.";
const ESCAPE: char = '\u{1b}';

/// A line of a log, without its time and colours.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LogLine<'a> {
    pub(crate) mark: Option<Mark>,
    pub(crate) text: Cow<'a, str>,
}

/// What the runner says about a line: `##[error]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Group,
    EndGroup,
    Error,
    Warning,
    /// A command, a notice, a section, or what is only printed for debugging.
    Other,
}

impl<'a> LogLine<'a> {
    pub(crate) fn new(raw: &'a str) -> Self {
        let text = without_time(raw);
        let text = match text.rsplit_once('\r') {
            // A progress bar overwrites its line. What comes last stays.
            Some((earlier, "")) => earlier.rsplit('\r').next().unwrap_or_default(),
            Some((_, last)) => last,
            None => text,
        };
        let text = without_escapes(text);
        let Some((mark, length)) = mark(&text) else {
            return Self { mark: None, text };
        };
        let text = match text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[length..]),
            Cow::Owned(text) => Cow::Owned(text[length..].to_owned()),
        };
        let mark = Some(mark);
        Self { mark, text }
    }

    /// Returns the line as a reader sees it, or `None` if it is only a mark.
    pub(crate) fn into_text(self) -> Option<Cow<'a, str>> {
        match self.mark {
            Some(Mark::EndGroup) => None,
            Some(Mark::Error) => Some(labelled("error", self.text)),
            Some(Mark::Warning) => Some(labelled("warning", self.text)),
            _ => Some(self.text),
        }
    }
}

/// Returns a line as a reader sees it, or `None` if it is only a mark.
pub(crate) fn cleaned(raw: &str) -> Option<Cow<'_, str>> {
    LogLine::new(raw).into_text()
}

fn labelled<'a>(label: &str, text: Cow<'a, str>) -> Cow<'a, str> {
    let begins = text.get(..label.len());
    if begins.is_some_and(|begins| begins.eq_ignore_ascii_case(label)) {
        return text;
    }
    Cow::Owned(format!("{label}: {text}"))
}

fn without_time(line: &str) -> &str {
    let bytes = line.as_bytes();
    let fits = |(expected, byte): (&u8, &u8)| match expected {
        b'd' => byte.is_ascii_digit(),
        other => other == byte,
    };
    if bytes.len() <= TIME.len() || !TIME.iter().zip(bytes).all(fits) {
        return line;
    }
    let rest = line[TIME.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix('Z') {
        Some(rest) => rest.strip_prefix(' ').unwrap_or(rest),
        None => line,
    }
}

fn mark(text: &str) -> Option<(Mark, usize)> {
    let (name, _) = text.strip_prefix("##[")?.split_once(']')?;
    let mark = match name {
        "group" => Mark::Group,
        "endgroup" => Mark::EndGroup,
        "error" => Mark::Error,
        "warning" => Mark::Warning,
        "command" | "debug" | "notice" | "section" | "add-matcher" | "remove-matcher" => {
            Mark::Other
        }
        _ => return None,
    };
    Some((mark, name.len() + 4))
}

/// Removes colours and other escape sequences of terminals.
fn without_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains(ESCAPE) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != ESCAPE {
            kept.push(c);
            continue;
        }
        match rest.next() {
            Some('[') => {
                // Parameters, and a final letter.
                let is_final = |c: &char| ('@'..='~').contains(c);
                rest.by_ref().find(is_final);
            }
            Some(']') => {
                // A title or a link, up to a bell or another escape sequence.
                let ends = |c: &char| matches!(*c, '\u{7}' | ESCAPE);
                if rest.by_ref().find(ends) == Some(ESCAPE) {
                    rest.next_if_eq(&'\\');
                }
            }
            _ => {}
        }
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_colours_and_marks_are_removed() {
        for (raw, expected) in [
            ("2026-11-18T22:55:08.1234567Z hello", Some("hello")),
            (
                "2026-11-18T22:55:08.1234567Z   indented",
                Some("  indented"),
            ),
            ("2026-11-18T22:55:08.1234567Z ", Some("")),
            ("2026-11-18T22:55:08.1234567Z", Some("")),
            ("2026-11-18 no time", Some("2026-11-18 no time")),
            (
                "2026-11-18T22:55:08.1234567 x",
                Some("2026-11-18T22:55:08.1234567 x"),
            ),
            ("##[group]Run make", Some("Run make")),
            ("##[endgroup]", None),
            (
                "##[error]Process completed with exit code 1.",
                Some("error: Process completed with exit code 1."),
            ),
            ("##[error]Error: no such file", Some("Error: no such file")),
            ("##[warning]old", Some("warning: old")),
            ("##[debug]x", Some("x")),
            ("##[other]x", Some("##[other]x")),
            ("##[", Some("##[")),
            ("\u{1b}[31;1merror\u{1b}[0m: x", Some("error: x")),
            ("\u{1b}[36;1mmake\u{1b}[0m", Some("make")),
            (
                "\u{1b}]8;;https://x\u{1b}\\link\u{1b}]8;;\u{7} end",
                Some("link end"),
            ),
            ("\u{1b}[31", Some("")),
            ("\u{1b}", Some("")),
            ("10%\r50%\r100%", Some("100%")),
            ("10%\r50%\r", Some("50%")),
            ("é", Some("é")),
        ] {
            assert_eq!(cleaned(raw).as_deref(), expected, "{raw:?}");
        }
    }
}
