//! Long texts on a terminal: how wide they are, and where their lines are broken.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::Table;

/// A text is not broken into less than this.
const NARROWEST: usize = 20;

/// How many columns a text takes on a terminal.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The text with its lines broken between words, so that it fits beside what stands before `column`.
/// As it is where nobody knows how wide the terminal is.
pub(crate) fn wrapped(text: &str, column: usize) -> String {
    wrapped_in(Table::room(), text, column)
}

/// The same for standard error.
pub(super) fn wrapped_on_stderr(text: &str, column: usize) -> String {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    let room = size.map(|(width, _)| usize::from(width.0));
    wrapped_in(room.filter(|room| *room >= NARROWEST), text, column)
}

fn wrapped_in(room: Option<usize>, text: &str, column: usize) -> String {
    match room {
        Some(room) => {
            let lines = lines(
                text,
                room.saturating_sub(column).max(NARROWEST),
                Breaks::Words,
            );
            lines.join(&format!("\n{}", " ".repeat(column)))
        }
        None => text.to_owned(),
    }
}

/// A text of several lines, as people write them on GitHub: what follows in a point of a list is
/// indented like it, and code stays as it is.
pub(crate) fn wrapped_text(text: &str) -> String {
    match Table::room() {
        Some(room) => broken_text(text, room),
        None => text.to_owned(),
    }
}

/// A page of the documentation: as [`wrapped_text`], and what programs print is broken too.
pub(crate) fn wrapped_page(text: &str) -> String {
    let Some(room) = Table::room() else {
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
            let within = room.saturating_sub(PRINTED_INDENT).max(NARROWEST);
            let lines = lines(line, within, Breaks::Words);
            shown.push(lines.join(&format!("\n{}", " ".repeat(PRINTED_INDENT))));
        } else {
            shown.push(line.to_owned());
        }
    }
    broken_text(&shown.join("\n"), room)
}

/// How far what follows of a line that a program prints is indented.
const PRINTED_INDENT: usize = 4;

/// Where a line may end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Breaks {
    /// Between words, and between characters of scripts that have no spaces.
    Words,
    /// Inside of names that are wider than a line, too: after a hyphen, a comma, a slash, an underscore.
    Parts,
}

/// The lines of a text in at most `room` columns each. Only what cannot be broken is wider.
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

/// The width of the widest piece that cannot be broken.
pub(super) fn widest_piece(text: &str, breaks: Breaks) -> usize {
    let pieces = text.split('\n').flat_map(|line| pieces(line, breaks));
    pieces
        .map(|piece| width(piece.trim_end()))
        .max()
        .unwrap_or(0)
}

/// What stays together, each with the spaces behind it.
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

fn ends_piece(before: char, after: char, breaks: Breaks) -> bool {
    if after == ' ' {
        return false;
    }
    let is_wide = |c: char| c.width() == Some(2);
    // A mark or a joiner belongs to the character before it, and what it joins comes behind it.
    let joined = after.width() == Some(0) || before == '\u{200d}';
    let in_a_name = breaks == Breaks::Parts && matches!(before, '-' | ',' | '/' | '_');
    before == ' ' || (!joined && (is_wide(before) || is_wide(after))) || in_a_name
}

fn broken_text(text: &str, room: usize) -> String {
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
        let indent = hanging(line);
        let within = room.saturating_sub(indent).max(NARROWEST);
        let (first, rest) = line.split_at(indent.min(line.len()));
        let mut lines = lines(rest, within, Breaks::Words).into_iter();
        broken.push(format!("{first}{}", lines.next().unwrap_or_default()));
        broken.extend(lines.map(|line| format!("{}{line}", " ".repeat(indent))));
    }
    broken.join("\n")
}

/// How far the text of a line stands from the left: behind its spaces and the mark of its point.
fn hanging(line: &str) -> usize {
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
        assert_eq!(broken_text(text, 22), expected);
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
