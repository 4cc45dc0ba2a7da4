//! A line of a file as a terminal shows it: harmless, and cut to what fits around the place that matters.

use super::super::harmless;

/// The ends of a line that was cut.
const CUT: &str = "…";
/// How wide a tab is shown.
const TAB: &str = "    ";

/// What is left of a line, and where its bytes went.
#[derive(Debug)]
pub(super) struct ShownLine {
    pub(super) text: String,
    /// By byte of the line: the byte and the column of what is shown for it. One more for its end.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) byte: usize,
    pub(super) column: usize,
}

impl ShownLine {
    /// The line in `room` columns. What starts at byte `from` is to be seen up to byte `to`, or as
    /// much of it as fits, and no further right than column `most`.
    pub(super) fn new(line: &str, room: usize, (from, to): (usize, usize), most: usize) -> Self {
        let whole = Self::whole(line);
        let width = whole.end().column;
        let (start, end) = (whole.place(from).column, whole.place(to).column);
        let fits = width <= room || end < room;
        let left = if fits && start <= most {
            0
        } else {
            start.saturating_sub(most.min(room / 3))
        };
        whole.cut(left, room)
    }

    /// Where a byte of the line is shown; what was cut off is at the cut.
    pub(super) fn place(&self, byte: usize) -> Place {
        let places = &self.places;
        *places.get(byte).unwrap_or(&places[places.len() - 1])
    }

    fn end(&self) -> Place {
        self.place(usize::MAX)
    }

    fn whole(line: &str) -> Self {
        let mut text = String::with_capacity(line.len());
        let mut places = Vec::with_capacity(line.len() + 1);
        let mut column = 0;
        let mut buffer = [0; 4];
        for c in line.chars() {
            let place = Place {
                byte: text.len(),
                column,
            };
            places.extend(std::iter::repeat_n(place, c.len_utf8()));
            match c {
                '\t' => text.push_str(TAB),
                c => text.push_str(&harmless(c.encode_utf8(&mut buffer))),
            }
            column += width(&text[place.byte..]);
        }
        places.push(Place {
            byte: text.len(),
            column,
        });
        Self { text, places }
    }

    /// From a column on, as many as fit.
    fn cut(self, left: usize, room: usize) -> Self {
        let Place { column: all, .. } = self.end();
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
        let first = self.places.iter().find(|it| it.column >= left);
        let first = *first.unwrap_or(&self.places[self.places.len() - 1]);
        let within = |it: &&Place| it.column <= first.column + room;
        let last = self.places.iter().rev().find(within);
        let last = last.copied().unwrap_or(first);
        let text = format!("{before}{}{after}", &self.text[first.byte..last.byte]);
        let shown = |it: Place| match it {
            it if it.column < first.column => Place { byte: 0, column: 0 },
            it => {
                let it = if it.column > last.column { last } else { it };
                Place {
                    byte: it.byte - first.byte + before.len(),
                    column: it.column - first.column + width(before),
                }
            }
        };
        let places = self.places.iter().map(|it| shown(*it)).collect();
        Self { text, places }
    }
}

/// In columns. Beyond the alphabets that are known to be narrow, every character counts as a wide one:
/// too short a line is better than one that is broken.
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
        let (from, to) = (shown.place(at.0), shown.place(at.1));
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
        assert_eq!(shown.place(3).byte, shown.text.len() - 1);
    }

    proptest! {
        #[test]
        fn it_always_fits(line in "\\PC{0,60}", room in 12_usize..40, from in 0_usize..80, more in 0_usize..40, most in 4_usize..40) {
            let shown = ShownLine::new(&line, room, (from, from + more), most);
            prop_assert!(width(&shown.text) <= room, "{}", shown.text);
            for byte in 0..=line.len() {
                let place = shown.place(byte);
                prop_assert!(shown.text.is_char_boundary(place.byte));
                prop_assert_eq!(width(&shown.text[..place.byte]), place.column);
            }
        }
    }
}
