//! Measures and wraps text for a terminal.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::Table;

/// The smallest width to which text is wrapped, in columns.
const MIN_WIDTH: usize = 20;

/// Returns the width of a text on a terminal, in columns.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// Wraps a text that begins at `column`. Continuation lines are indented to that column. The text is not changed if the
/// width of the terminal is unknown.
pub(crate) fn wrapped(text: &str, column: usize) -> String {
    wrapped_in(Table::terminal_width(), text, column)
}

/// Wraps a text like [`wrapped`], for standard error.
pub(super) fn wrapped_on_stderr(text: &str, column: usize) -> String {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    let room = size.map(|(width, _)| usize::from(width.0));
    wrapped_in(room.filter(|room| *room >= MIN_WIDTH), text, column)
}

fn wrapped_in(room: Option<usize>, text: &str, column: usize) -> String {
    match room {
        Some(room) => {
            let lines = lines(
                text,
                room.saturating_sub(column).max(MIN_WIDTH),
                Breaks::Words,
            );
            lines.join(&format!("\n{}", " ".repeat(column)))
        }
        None => text.to_owned(),
    }
}

/// Wraps Markdown. Continuation lines of list items are indented, and code and tables are not changed.
pub(crate) fn wrapped_text(text: &str) -> String {
    match Table::terminal_width() {
        Some(room) => wrap_markdown(text, room),
        None => text.to_owned(),
    }
}

/// Wraps a page of the documentation like [`wrapped_text`]. Output of programs in ```` ```text ```` blocks is wrapped
/// too.
pub(crate) fn wrapped_page(text: &str) -> String {
    let Some(room) = Table::terminal_width() else {
        return text.to_owned();
    };
    let mut is_printed = false;
    let mut shown = Vec::new();
    for line in text.split('\n') {
        if line.starts_with("```") {
            is_printed = line == "```text";
        }
        let is_wide = is_printed && width(line) > room;
        if is_wide {
            let within = room.saturating_sub(PRINTED_INDENT).max(MIN_WIDTH);
            let lines = lines(line, within, Breaks::Words);
            shown.push(lines.join(&format!("\n{}", " ".repeat(PRINTED_INDENT))));
        } else {
            shown.push(line.to_owned());
        }
    }
    wrap_markdown(&shown.join("\n"), room)
}

/// The indentation of continuation lines in the output of programs.
const PRINTED_INDENT: usize = 4;

/// Where a line may be broken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Breaks {
    /// Between words, and between characters of scripts that have no spaces.
    Words,
    /// Also inside names that are wider than a line: after a hyphen, a comma, a slash or an underscore.
    Parts,
}

/// Wraps a text to lines of at most `room` columns. A piece that cannot be broken may be wider.
pub(super) fn lines(text: &str, room: usize, breaks: Breaks) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let mut current = String::new();
        let mut add = |piece: &str| {
            let fits = width(&current) + width(piece.trim_end()) <= room;
            if !fits && !current.trim().is_empty() {
                lines.push(std::mem::take(&mut current).trim_end().to_owned());
            }
            current.push_str(piece);
        };
        for word in pieces(line, Breaks::Words) {
            if width(word.trim_end()) <= room {
                add(word);
            } else {
                pieces(word, breaks).into_iter().for_each(&mut add);
            }
        }
        lines.push(current.trim_end().to_owned());
    }
    lines
}

/// Returns the width of the widest piece that cannot be broken.
pub(super) fn widest_piece(text: &str, breaks: Breaks) -> usize {
    let pieces = text.split('\n').flat_map(|line| pieces(line, breaks));
    pieces
        .map(|piece| width(piece.trim_end()))
        .max()
        .unwrap_or(0)
}

/// Splits a line into pieces that cannot be broken, each with the spaces after it.
fn pieces(line: &str, breaks: Breaks) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, c) in line.char_indices() {
        let may_break = before.is_some_and(|before| ends_piece(before, c, breaks));
        if may_break && at > start {
            pieces.push(&line[start..at]);
            start = at;
        }
        before = Some(c);
    }
    pieces.push(&line[start..]);
    pieces
}

/// Whether a line may be broken between two characters.
fn ends_piece(before: char, after: char, breaks: Breaks) -> bool {
    if after == ' ' {
        return false;
    }
    let is_wide = |c: char| c.width() == Some(2);
    // Combining marks and joiners belong to the character before them, and a joiner also to the one after it.
    let joined = after.width() == Some(0) || before == '\u{200d}';
    let in_a_name = breaks == Breaks::Parts && matches!(before, '-' | ',' | '/' | '_');
    before == ' ' || (!joined && (is_wide(before) || is_wide(after))) || in_a_name
}

fn wrap_markdown(text: &str, room: usize) -> String {
    let mut is_code = false;
    let mut broken: Vec<String> = Vec::new();
    for line in text.split('\n') {
        let words = line.trim_start();
        let fence = words.starts_with("```") || words.starts_with("~~~");
        if fence {
            is_code = !is_code;
        }
        if is_code || fence || words.starts_with('|') {
            broken.push(line.to_owned());
            continue;
        }
        let indent = hanging_indent(line);
        let within = room.saturating_sub(indent).max(MIN_WIDTH);
        let (first, rest) = line.split_at(indent.min(line.len()));
        let mut lines = lines(rest, within, Breaks::Words).into_iter();
        broken.push(format!("{first}{}", lines.next().unwrap_or_default()));
        broken.extend(lines.map(|line| format!("{}{line}", " ".repeat(indent))));
    }
    broken.join("\n")
}

/// Returns the column in which the text of a line begins, after its indentation and its list marker.
fn hanging_indent(line: &str) -> usize {
    let words = line.trim_start_matches(' ');
    let spaces = line.len() - words.len();
    let marks = ["- [ ] ", "- [x] ", "- ", "* ", "+ ", "> "];
    if let Some(mark) = marks.iter().find(|mark| words.starts_with(**mark)) {
        return spaces + mark.len();
    }
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && words[digits..].starts_with(". ") {
        return spaces + digits + 2;
    }
    spaces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(
            lines("a bb ccc dddd", 5, Breaks::Words),
            ["a bb", "ccc", "dddd"]
        );
        assert_eq!(lines("abcdefgh i", 3, Breaks::Words), ["abcdefgh", "i"]);
        assert_eq!(lines("", 3, Breaks::Words), [""]);
        let url = "see https://example.org/a-b/c";
        assert_eq!(
            lines(url, 10, Breaks::Words),
            ["see", "https://example.org/a-b/c"]
        );
    }

    #[test]
    fn names_break_at_their_joints_in_tables() {
        let labels = "bug, flight-critical";
        assert_eq!(
            lines(labels, 9, Breaks::Parts),
            ["bug,", "flight-", "critical"]
        );
        assert_eq!(widest_piece(labels, Breaks::Parts), 8);
        // A name that fits into a line stays whole.
        assert_eq!(
            lines("a flight-critical", 15, Breaks::Parts),
            ["a", "flight-critical"]
        );
    }

    #[test]
    fn wide_characters_take_two_columns_and_break_anywhere() {
        assert_eq!(
            lines("火箭发动机", 4, Breaks::Words),
            ["火箭", "发动", "机"]
        );
        assert_eq!(width("火箭"), 4);
        // A family of three is one character, wherever the line ends.
        let family = "👩\u{200d}👩\u{200d}👧";
        let shown = lines(&format!("{family}{family}"), 2, Breaks::Words);
        assert_eq!(shown.concat(), format!("{family}{family}"));
        assert!(
            shown.iter().all(|line| !line.starts_with('\u{200d}')),
            "{shown:?}"
        );
    }

    #[test]
    fn points_hang_and_code_stays() {
        let text = "- one two three four five six\n\n```\nlet a_very_long_line = of(code, that, stays);\n```\n12. one two three four five six";
        let expected = "- one two three four\n  five six\n\n```\nlet a_very_long_line = of(code, that, stays);\n```\n12. one two three four\n    five six";
        assert_eq!(wrap_markdown(text, 22), expected);
    }

    proptest! {
        #[test]
        fn breaking_loses_nothing_and_fits(text in "[a-z 火箭,/-]{0,60}", room in 1usize..30) {
            let bare = |text: &str| text.replace([' ', '\n'], "");
            for breaks in [Breaks::Words, Breaks::Parts] {
                let shown = lines(&text, room, breaks);
                prop_assert_eq!(bare(&shown.concat()), bare(&text));
                let widest = widest_piece(&text, breaks);
                let fits = |line: &String| width(line.trim_start()) <= room.max(widest);
                prop_assert!(shown.iter().all(fits));
            }
        }
    }
}
