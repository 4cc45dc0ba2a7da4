//! Code with the numbers of its lines: all of it, or the place where it failed.

use anstyle::Style;

use super::harmless::harmless;
use super::typescript::pieces;
use super::{DIM, ERROR, Printer};

/// How many lines are shown before the one that failed, and after it.
const AROUND: usize = 2;

/// A line that is longer is cut: somebody may have sent code on one line.
const WIDEST: usize = 400;

impl Printer {
    pub(crate) fn listing(&self, code: &str) {
        let lines = coloured_lines(&self.redactor.text(code));
        let width = lines.len().to_string().len();
        for (index, line) in lines.iter().enumerate() {
            self.line(numbered(index + 1, width, line));
        }
    }

    /// The line, with a mark below the column; both are counted from 1. Nothing if there is no such
    /// line.
    pub(crate) fn excerpt(&self, code: &str, line: usize, column: usize) {
        // Colours would take a secret apart before it is found.
        let code = self.redactor.text(code);
        let text = harmless(&code);
        let lines = coloured_lines(&code);
        let plain = text.lines().nth(line.saturating_sub(1));
        let Some(plain) = plain.filter(|_| line > 0) else {
            return;
        };
        let first = line.saturating_sub(AROUND).max(1);
        let last = (line + AROUND).min(lines.len());
        let width = last.to_string().len();
        for number in first..=last {
            if let Some(shown) = lines.get(number - 1) {
                self.line(numbered(number, width, shown));
            }
            if number == line && column <= WIDEST {
                let mark = caret(plain, column);
                self.line(format_args!(
                    "{:width$} {DIM}│{DIM:#} {ERROR}{mark}{ERROR:#}",
                    ""
                ));
            }
        }
    }
}

fn numbered(number: usize, width: usize, line: &str) -> String {
    let text = format!("{DIM}{number:>width$} │{DIM:#} {line}");
    text.trim_end().to_owned()
}

/// White space up to the column, as wide as what stands there, and a mark.
fn caret(line: &str, column: usize) -> String {
    let before = line.chars().take(column.saturating_sub(1));
    let blank = before.map(|c| if c == '\t' { '\t' } else { ' ' });
    blank.chain(['^']).collect()
}

/// Every line by itself: a colour ends with its line and begins again on the next one.
fn coloured_lines(code: &str) -> Vec<String> {
    let text = harmless(code);
    let mut lines = Vec::new();
    let mut line = Line::default();
    for piece in pieces(text.trim_end()) {
        for (index, part) in piece.text.split('\n').enumerate() {
            if index > 0 {
                lines.push(std::mem::take(&mut line).shown);
            }
            line.add(part, piece.kind.style());
        }
    }
    lines.push(line.shown);
    lines
}

#[derive(Default)]
struct Line {
    shown: String,
    /// How many characters there are, colours not counted; one more than fit when it was cut.
    width: usize,
}

impl Line {
    fn add(&mut self, part: &str, style: Style) {
        let fits = WIDEST.saturating_sub(self.width);
        let shown: String = part.chars().take(fits).collect();
        let cut = shown.len() < part.len();
        self.width += shown.chars().count();
        if !shown.is_empty() {
            self.shown.push_str(&format!("{style}{shown}{style:#}"));
        }
        if cut && self.width == WIDEST {
            self.shown.push('…');
            self.width += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A text without the colours that were put into it.
    fn plain(lines: &[String]) -> String {
        let text = lines.join("\n");
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn a_colour_ends_with_its_line() {
        let lines = coloured_lines("`a\nb`");
        assert!(lines.iter().all(|line| line.starts_with('\u{1b}')));
        assert!(lines.iter().all(|line| line.ends_with("\u{1b}[0m")));
        assert_eq!(plain(&lines), "`a\nb`");
    }

    #[test]
    fn the_mark_stands_below_the_column() {
        assert_eq!(caret("\ta.b", 3), "\t ^");
        assert_eq!(caret("ab", 9), "  ^");
        assert_eq!(caret("ab", 0), "^");
    }

    #[test]
    fn long_lines_are_cut() {
        let line = "x + ".repeat(500);
        let shown = plain(&coloured_lines(&line));
        assert_eq!(shown.chars().count(), WIDEST + 1);
        assert!(shown.ends_with('…'));
    }

    proptest! {
        #[test]
        fn colouring_changes_no_character(text in any::<String>()) {
            let harmless = harmless(&text);
            let short: Vec<String> = harmless
                .trim_end()
                .split('\n')
                .map(|line| line.chars().take(WIDEST).collect())
                .collect();
            prop_assert_eq!(plain(&coloured_lines(&text)), short.join("\n"));
        }
    }
}
