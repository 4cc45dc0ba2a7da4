//! Tables without borders that fit the terminal. Words are not broken: if they do not fit beside each other, each row
//! becomes a block of lines.

use std::fmt;

use super::wrap::{Breaks, lines, widest_piece, width};

/// The narrowest terminal that tables are fitted to. Some terminals do not know their width and report 0.
const MIN_TERMINAL_WIDTH: usize = 40;

/// The number of spaces between two columns.
const GAP: usize = 2;

/// The widest first column that [`Table::keep_first_column`] keeps unbroken.
const MAX_FIRST_COLUMN: usize = 40;

/// Columns up to this width are not broken, because dates and names are easier to read whole. The first of these
/// widths with which the table fits is used.
const UNBROKEN_WIDTHS: [usize; 4] = [16, 12, 8, 0];

/// A table with a header.
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    keep_first: bool,
}

impl Table {
    pub(crate) fn new(header: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let header = header.into_iter().map(|cell| cell.into().to_uppercase());
        Self {
            header: header.collect(),
            rows: Vec::new(),
            keep_first: false,
        }
    }

    /// Returns the width of the terminal in columns. `None` if standard output is not a terminal, or one too narrow for
    /// tables.
    pub(crate) fn terminal_width() -> Option<usize> {
        let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
        Some(usize::from(width.0)).filter(|width| *width >= MIN_TERMINAL_WIDTH)
    }

    /// Adds a row. Missing cells at its end are empty.
    pub(crate) fn push_row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.header.len().max(cells.len()), String::new());
        self.rows.push(cells);
    }

    /// Does not break the first column, unless it is wider than [`MAX_FIRST_COLUMN`].
    pub(crate) fn keep_first_column(&mut self) {
        self.keep_first = true;
    }

    /// Formats the table to fit into `room` columns, or at its natural width.
    fn format(&self, room: Option<usize>) -> String {
        let natural = self.natural_widths();
        let gaps = GAP * natural.len().saturating_sub(1);
        let Some(room) = room else {
            return self.as_table(&natural);
        };
        let room_for_cells = room.saturating_sub(gaps);
        match self.widths(&natural, room_for_cells) {
            Some(widths) => self.as_table(&widths),
            None => self.as_blocks(room),
        }
    }

    fn all_rows(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.header).chain(&self.rows)
    }

    /// Returns the width of the widest line of each column.
    fn natural_widths(&self) -> Vec<usize> {
        let columns = self.all_rows().map(Vec::len).max().unwrap_or(0);
        let widest = |column: usize| {
            let cells = self.all_rows().filter_map(|row| row.get(column));
            let lines = cells.flat_map(|cell| cell.split('\n').map(width));
            lines.max().unwrap_or(0)
        };
        (0..columns).map(widest).collect()
    }

    /// Returns widths of the columns with which the table fits into `room`. `None` if words would have to be broken.
    fn widths(&self, natural: &[usize], room: usize) -> Option<Vec<usize>> {
        if natural.iter().sum::<usize>() <= room {
            return Some(natural.to_vec());
        }
        let words = self.min_widths(natural, Breaks::Words);
        let widths = distribute(natural, &self.min_widths(natural, Breaks::Parts), room)?;
        let is_whole = widths.iter().zip(&words).all(|(width, word)| width >= word);
        if is_whole {
            return Some(widths);
        }
        // Names are broken after a hyphen or slash only if whole words do not fit.
        distribute(natural, &words, room).or(Some(widths))
    }

    /// Returns the width of the widest unbreakable piece of each column.
    fn min_widths(&self, natural: &[usize], breaks: Breaks) -> Vec<usize> {
        let piece = |column: usize| {
            let cells = self.all_rows().filter_map(|row| row.get(column));
            let pieces = cells.map(|cell| widest_piece(cell, breaks));
            pieces.max().unwrap_or(0)
        };
        let mut pieces: Vec<usize> = (0..natural.len()).map(piece).collect();
        if self.keep_first
            && let (Some(first), Some(whole)) = (pieces.first_mut(), natural.first())
            && *whole <= MAX_FIRST_COLUMN
        {
            *first = *whole;
        }
        pieces
    }

    fn as_table(&self, widths: &[usize]) -> String {
        let mut shown = Vec::new();
        let has_header = self.header.iter().any(|cell| !cell.is_empty());
        for row in self.all_rows().skip(usize::from(!has_header)) {
            let cells: Vec<_> = row
                .iter()
                .zip(widths)
                .map(|(cell, width)| lines(cell, *width, Breaks::Parts))
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for at in 0..height {
                let mut line = String::new();
                for (cell, room) in cells.iter().zip(widths) {
                    let text = cell.get(at).map_or("", String::as_str);
                    line.push_str(text);
                    let blank = (room + GAP).saturating_sub(width(text));
                    line.push_str(&" ".repeat(blank));
                }
                shown.push(line.trim_end().to_owned());
            }
        }
        shown.join("\n")
    }

    /// Formats each row as a block with a line for each cell that is not empty.
    fn as_blocks(&self, room: usize) -> String {
        let names = self.header.iter().map(|name| width(name));
        let column = names.max().unwrap_or(0) + GAP;
        let block = |row: &Vec<String>| {
            let cells = self.header.iter().zip(row);
            let filled = cells.filter(|(_, cell)| !cell.is_empty());
            let shown = filled.map(|(name, cell)| {
                let blank = " ".repeat(column - width(name));
                let broken = lines(cell, room.saturating_sub(column).max(1), Breaks::Words);
                let text = broken.join(&format!("\n{}", " ".repeat(column)));
                format!("{name}{blank}{text}")
            });
            shown.collect::<Vec<_>>().join("\n")
        };
        self.rows.iter().map(block).collect::<Vec<_>>().join("\n\n")
    }
}

/// Distributes the room among the columns. Each column is at least as wide as its widest piece; returns `None` if that
/// does not fit.
fn distribute(natural: &[usize], pieces: &[usize], room: usize) -> Option<Vec<usize>> {
    let keeping = |kept: usize| -> Vec<usize> {
        let columns = natural.iter().zip(pieces);
        let widths = columns.map(
            |(whole, piece)| {
                if *whole <= kept { *whole } else { *piece }
            },
        );
        widths.collect()
    };
    let fit = |widths: &Vec<usize>| widths.iter().sum::<usize>() <= room;
    let mut widths = UNBROKEN_WIDTHS.into_iter().map(keeping).find(fit)?;
    let mut left = room - widths.iter().sum::<usize>();
    // Columns that need least are served first; the others share the rest.
    let mut wanting: Vec<usize> = (0..widths.len()).collect();
    let lacking = |column: usize, widths: &[usize]| natural[column].saturating_sub(widths[column]);
    wanting.sort_by_key(|column| lacking(*column, &widths));
    for (served, column) in wanting.iter().enumerate() {
        let share = left / (wanting.len() - served);
        let more = share.min(lacking(*column, &widths));
        widths[*column] += more;
        left -= more;
    }
    Some(widths)
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format(Self::terminal_width()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn issues() -> Table {
        let mut table = Table::new(["number", "title", "labels"]);
        table.push_row([
            "48",
            "Tank pressure sensor reads 0.0",
            "bug, flight-critical",
        ]);
        table.push_row(["7", "火箭发动机在测试中熄火 🚀", ""]);
        table.keep_first_column();
        table
    }

    #[test]
    fn columns_are_as_wide_as_they_need() {
        let expected = "\
NUMBER  TITLE                           LABELS
48      Tank pressure sensor reads 0.0  bug, flight-critical
7       火箭发动机在测试中熄火 🚀";
        assert_eq!(issues().format(None), expected);
        assert_eq!(issues().format(Some(200)), expected);
    }

    #[test]
    fn words_stay_whole_where_it_is_narrow() {
        assert_eq!(
            issues().format(Some(40)),
            "\
NUMBER  TITLE            LABELS
48      Tank pressure    bug,
        sensor reads     flight-critical
        0.0
7       火箭发动机在测
        试中熄火 🚀"
        );
    }

    #[test]
    fn rows_become_blocks_where_words_do_not_fit_beside_each_other() {
        let mut table = Table::new(["name", "sha", "when"]);
        let sha = "9fc94bdc5b1001f6686d2e4f40754b7fa1b4beac";
        table.push_row(["main", sha, "2026-05-26"]);
        table.push_row(["next", sha, ""]);
        assert_eq!(
            table.format(Some(40)),
            format!("NAME  main\nSHA   {sha}\nWHEN  2026-05-26\n\nNAME  next\nSHA   {sha}")
        );
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_terminal_unless_a_word_is(
            rows in prop::collection::vec(prop::collection::vec("[a-z 火]{0,30}", 3), 1..5),
            room in 40usize..120,
        ) {
            let mut table = Table::new(["first", "second", "third"]);
            let word = rows.iter().flatten().map(|cell| widest_piece(cell, Breaks::Parts)).max();
            for row in &rows {
                table.push_row(row.clone());
            }
            let shown = table.format(Some(room));
            let most = room.max(word.unwrap_or(0) + "second".len() + GAP);
            prop_assert!(shown.lines().all(|line| width(line) <= most), "{}", shown);
        }
    }
}
