//! Converts between offsets in a text and lines and columns.

use std::cell::Cell;

use capstan_core::code::Place;

/// The starts of the lines of a text.
pub(crate) struct Lines<'s> {
    text: &'s str,
    starts: Vec<usize>,
    /// Where the last search in a line ended: its line, the offset, and the count up to there.
    last: Cell<(usize, usize, usize)>,
}

impl<'s> Lines<'s> {
    /// Splits lines as editors do: they end with LF, CR LF or CR.
    pub(crate) fn from_text(text: &'s str) -> Self {
        Self::new(text, |_| false)
    }

    /// Splits lines as the JavaScript standard does: U+2028 and U+2029 end a line as well.
    pub(crate) fn from_standard_text(text: &'s str) -> Self {
        Self::new(text, |c| matches!(c, '\u{2028}' | '\u{2029}'))
    }

    fn new(text: &'s str, also_ends: impl Fn(char) -> bool) -> Self {
        let mut starts = vec![0];
        let mut chars = text.char_indices().peekable();
        while let Some((offset, c)) = chars.next() {
            let is_crlf = c == '\r' && chars.peek().is_some_and(|&(_, next)| next == '\n');
            if (matches!(c, '\n' | '\r') && !is_crlf) || also_ends(c) {
                starts.push(offset + c.len_utf8());
            }
        }
        Self {
            text,
            starts,
            last: Cell::new((0, 0, 0)),
        }
    }

    /// Returns the position of an offset, counted from 1, with columns in characters.
    pub(crate) fn place(&self, offset: usize) -> Place {
        // An offset between CR and LF belongs to the end of the line.
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
            line: saturate(line + 1),
            column: saturate(column + 1),
        }
    }

    /// Returns line and column of an offset, counted from 0, with columns in bytes.
    pub(crate) fn byte_place(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        (line, offset - self.starts[line])
    }

    /// Returns the offset of a column in UTF-16 units. Line and column are counted from 0.
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

    /// Returns where to start counting: where the last search in this line ended, if that is
    /// is_usable, or else the start of the line. Otherwise a program in one long line would take
    /// quadratic time.
    fn resume(&self, line: usize, is_usable: impl Fn(usize, usize) -> bool) -> (usize, usize) {
        let (last_line, offset, count) = self.last.get();
        if last_line == line && offset >= self.starts[line] && is_usable(offset, count) {
            (offset, count)
        } else {
            (self.starts[line], 0)
        }
    }
}

fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, offset: usize) -> (u32, u32) {
        let place = Lines::from_text(text).place(offset);
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
        let lines = Lines::from_standard_text("ä😀x\u{2028}y");
        assert_eq!(lines.offset(0, 3), "ä😀".len());
        assert_eq!(lines.offset(1, 0), "ä😀x\u{2028}".len());
        assert_eq!(lines.offset(0, 1), "ä".len());
    }
}
