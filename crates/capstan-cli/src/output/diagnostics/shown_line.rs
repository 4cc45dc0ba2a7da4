//! One line of a file for a terminal: control characters are escaped, and a long line is cut around the highlight.

use super::super::sanitize;

/// Replaces the ends of a line that are cut off.
const CUT: &str = "…";
/// Replaces a tab.
const TAB: &str = "    ";

/// A line as it is shown, with the position of each byte of the original.
#[derive(Debug)]
pub(super) struct ShownLine {
    pub(super) text: String,
    /// The shown position of each byte of the line, and of its end.
    positions: Vec<TextPosition>,
}

/// A position in the shown text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextPosition {
    pub(super) byte: usize,
    pub(super) column: usize,
}

impl ShownLine {
    /// Cuts a line to `room` columns, so that the bytes from `from` to `to` are visible as far as they fit, and begin
    /// at most at column `most`.
    pub(super) fn new(line: &str, room: usize, (from, to): (usize, usize), most: usize) -> Self {
        let whole = Self::whole(line);
        let width = whole.end().column;
        let (start, end) = (whole.position(from).column, whole.position(to).column);
        let fits = width <= room || end < room;
        let left = if fits && start <= most {
            0
        } else {
            start.saturating_sub(most.min(room / 3))
        };
        whole.cut(left, room)
    }

    /// Returns the shown position of a byte of the line. Bytes that were cut off are at the cut.
    pub(super) fn position(&self, byte: usize) -> TextPosition {
        let positions = &self.positions;
        *positions
            .get(byte)
            .unwrap_or(&positions[positions.len() - 1])
    }

    fn end(&self) -> TextPosition {
        self.position(usize::MAX)
    }

    fn whole(line: &str) -> Self {
        let mut text = String::with_capacity(line.len());
        let mut positions = Vec::with_capacity(line.len() + 1);
        let mut column = 0;
        let mut buffer = [0; 4];
        for c in line.chars() {
            let position = TextPosition {
                byte: text.len(),
                column,
            };
            positions.extend(std::iter::repeat_n(position, c.len_utf8()));
            match c {
                '\t' => text.push_str(TAB),
                c => text.push_str(&sanitize(c.encode_utf8(&mut buffer))),
            }
            column += width(&text[position.byte..]);
        }
        positions.push(TextPosition {
            byte: text.len(),
            column,
        });
        Self { text, positions }
    }

    /// Cuts off everything before column `left`, and what does not fit into `room` columns.
    fn cut(self, left: usize, room: usize) -> Self {
        let TextPosition { column: all, .. } = self.end();
        if left == 0 && all <= room {
            return self;
        }
        let (before, left) = match left {
            0 => ("", 0),
            left => (CUT, left + 1),
        };
        let room = room.saturating_sub(width(before));
        let (after, room) = if all.saturating_sub(left) <= room {
            ("", room)
        } else {
            (CUT, room.saturating_sub(1))
        };
        let at_left = self.positions.iter().find(|it| it.column >= left);
        let first = *at_left.unwrap_or(&self.positions[self.positions.len() - 1]);
        let within = |it: &&TextPosition| it.column <= first.column + room;
        let at_right = self.positions.iter().rev().find(within);
        let last = at_right.copied().unwrap_or(first);
        let text = format!("{before}{}{after}", &self.text[first.byte..last.byte]);
        let shown = |it: TextPosition| match it {
            it if it.column < first.column => TextPosition { byte: 0, column: 0 },
            it => {
                let it = if it.column > last.column { last } else { it };
                TextPosition {
                    byte: it.byte - first.byte + before.len(),
                    column: it.column - first.column + width(before),
                }
            }
        };
        let positions = self.positions.iter().map(|it| shown(*it)).collect();
        Self { text, positions }
    }
}

/// Returns the width of a text in columns. Characters that are not known to be narrow count as wide: a line that is too
/// short is better than one that the terminal breaks.
pub(super) fn width(text: &str) -> usize {
    let narrow =
        |c: char| c < '\u{1100}' || matches!(c, '\u{2000}'..='\u{206f}' | '\u{2190}'..='\u{21ff}');
    text.chars().map(|c| if narrow(c) { 1 } else { 2 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(line: &str, room: usize, at: (usize, usize)) -> (String, usize, usize) {
        let shown = ShownLine::new(line, room, at, room);
        let (from, to) = (shown.position(at.0), shown.position(at.1));
        (shown.text, from.column, to.column)
    }

    #[test]
    fn the_place_that_matters_stays() {
        let line = "0123456789abcdefghij";
        for (room, at, expected) in [
            (20, (3, 5), ("0123456789abcdefghij", 3, 5)),
            (10, (3, 5), ("012345678…", 3, 5)),
            (10, (15, 17), ("…defghij", 3, 5)),
            (10, (10, 12), ("…89abcdef…", 3, 5)),
            (10, (2, 20), ("012345678…", 2, 9)),
        ] {
            let expected = (expected.0.to_owned(), expected.1, expected.2);
            assert_eq!(shown(line, room, at), expected, "{at:?}");
        }
    }

    #[test]
    fn what_steers_a_terminal_is_shown_instead() {
        let shown = ShownLine::new("a\u{1b}\tb", 80, (3, 4), 80);
        assert_eq!(shown.text, "a\\u{1b}    b");
        assert_eq!(shown.position(3).byte, shown.text.len() - 1);
    }

    proptest! {
        #[test]
        fn it_always_fits(line in "\\PC{0,60}", room in 12_usize..40, from in 0_usize..80, more in 0_usize..40, most in 4_usize..40) {
            let shown = ShownLine::new(&line, room, (from, from + more), most);
            prop_assert!(width(&shown.text) <= room, "{}", shown.text);
            for byte in 0..=line.len() {
                let position = shown.position(byte);
                prop_assert!(shown.text.is_char_boundary(position.byte));
                prop_assert_eq!(width(&shown.text[..position.byte]), position.column);
            }
        }
    }
}
