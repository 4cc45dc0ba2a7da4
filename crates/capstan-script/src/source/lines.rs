//! Between offsets in a text and lines and columns.

use std::cell::Cell;

use capstan_core::code::Place;

/// Where the lines of a text start.
pub(crate) struct Lines<'s> {
    text: &'s str,
    starts: Vec<usize>,
    /// Where the last search in a line ended: its line, the offset, and the count up to there.
    last: Cell<(usize, usize, usize)>,
}

impl<'s> Lines<'s> {
    /// Lines as editors count them: they end with LF, CR LF or CR.
    pub(crate) fn of_text(text: &'s str) -> Self {
        Self::new(text, |_| false)
    }

    /// Lines as the JavaScript standard counts them: two rare characters end a line as well.
    pub(crate) fn of_standard(text: &'s str) -> Self {
        Self::new(text, |c| matches!(c, '\u{2028}' | '\u{2029}'))
    }

    fn new(text: &'s str, also_ends: impl Fn(char) -> bool) -> Self {
        let mut starts = vec![0];
        let mut chars = text.char_indices().peekable();
        while let Some((offset, c)) = chars.next() {
            let crlf = c == '\r' && chars.peek().is_some_and(|&(_, next)| next == '\n');
            if (matches!(c, '\n' | '\r') && !crlf) || also_ends(c) {
                starts.push(offset + c.len_utf8());
            }
        }
        Self {
            text,
            starts,
            last: Cell::new((0, 0, 0)),
        }
    }

    /// Counted from 1, columns in characters.
    pub(crate) fn place(&self, offset: usize) -> Place {
        // What stands between CR and LF is the end of the line, not a column behind it.
        let within_end = offset.checked_sub(1).filter(|before| {
            let end = self.text.get(*before..offset + 1);
            end.is_some_and(|end| end == "\r\n")
        });
        let offset = within_end.unwrap_or(offset);
        let (line, _) = self.byte_place(offset);
        let (from, count) = self.resume(line, |last, _| last <= offset);
        let characters = self.text.get(from..offset.min(self.text.len()));
        let column = count + characters.map_or(0, |it| it.chars().count());
        self.last.set((line, offset, column));
        Place {
            line: number(line + 1),
            column: number(column + 1),
        }
    }

    /// Counted from 0, columns in bytes.
    pub(crate) fn byte_place(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        (line, offset - self.starts[line])
    }

    /// The offset of a column in UTF-16 units; both are counted from 0.
    pub(crate) fn offset(&self, line: u32, column: u32) -> usize {
        let line = (line as usize).min(self.starts.len() - 1);
        let column = column as usize;
        let (mut offset, mut units) = self.resume(line, |_, count| count <= column);
        for c in self.text.get(offset..).unwrap_or_default().chars() {
            if units >= column {
                break;
            }
            offset += c.len_utf8();
            units += c.len_utf16();
        }
        self.last.set((line, offset, units));
        offset
    }

    /// From where to count: from where the last search in this line ended, if that is not too far.
    /// A program in one long line would take quadratic time otherwise.
    fn resume(&self, line: usize, usable: impl Fn(usize, usize) -> bool) -> (usize, usize) {
        let (last_line, offset, count) = self.last.get();
        if last_line == line && offset >= self.starts[line] && usable(offset, count) {
            (offset, count)
        } else {
            (self.starts[line], 0)
        }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, offset: usize) -> (u32, u32) {
        let place = Lines::of_text(text).place(offset);
        (place.line, place.column)
    }

    #[test]
    fn lines_end_with_lf_cr_lf_and_cr() {
        let text = "a\nb\r\nc\rd";
        let places: Vec<_> = [0, 2, 5, 7].map(|at| place(text, at)).into();
        assert_eq!(places, [(1, 1), (2, 1), (3, 1), (4, 1)]);
    }

    #[test]
    fn columns_are_characters() {
        let text = "ä😀x\né";
        assert_eq!(place(text, "ä😀".len()), (1, 3));
        assert_eq!(place(text, text.len()), (2, 2));
    }

    #[test]
    fn offsets_count_utf16() {
        let lines = Lines::of_standard("ä😀x\u{2028}y");
        assert_eq!(lines.offset(0, 3), "ä😀".len());
        assert_eq!(lines.offset(1, 0), "ä😀x\u{2028}".len());
        assert_eq!(lines.offset(0, 1), "ä".len());
    }
}
