//! Prints code with line numbers: all of it, or the lines around an error.

use anstyle::Style;

use super::sanitize::sanitize;
use super::typescript::tokenize;
use super::{DIM, ERROR, Printer};

/// The number of lines before and after the line of an error.
const CONTEXT_LINES: usize = 2;

/// The longest line that is shown in full, in characters. Code may be a single long line.
const WIDEST: usize = 400;

impl Printer {
    /// Prints all lines of the code.
    pub(crate) fn listing(&self, code: &str) {
        let lines = coloured_lines(&self.redactor.text(code));
        let width = lines.len().to_string().len();
        for (index, line) in lines.iter().enumerate() {
            self.line(numbered(index + 1, width, line));
        }
    }

    /// Prints the lines around a line, with a caret below the column. Both are counted from 1. Prints nothing if there
    /// is no such line.
    pub(crate) fn excerpt(&self, code: &str, line: usize, column: usize) {
        // Secrets are masked before the code is coloured, because the redactor would not find one with colours in it.
        let code = self.redactor.text(code);
        let text = sanitize(&code);
        let lines = coloured_lines(&code);
        let Some(plain) = line
            .checked_sub(1)
            .and_then(|index| text.lines().nth(index))
        else {
            return;
        };
        let first = line.saturating_sub(CONTEXT_LINES).max(1);
        let last = (line + CONTEXT_LINES).min(lines.len());
        let width = last.to_string().len();
        for number in first..=last {
            if let Some(shown) = lines.get(number - 1) {
                self.line(numbered(number, width, shown));
            }
            if number == line && column <= WIDEST {
                let caret_line = caret(plain, column);
                self.line(format_args!(
                    "{:width$} {DIM}│{DIM:#} {ERROR}{caret_line}{ERROR:#}",
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

/// Returns white space that is as wide as the line before the column, and a caret.
fn caret(line: &str, column: usize) -> String {
    let before = line.chars().take(column.saturating_sub(1));
    let blank = before.map(|c| if c == '\t' { '\t' } else { ' ' });
    blank.chain(['^']).collect()
}

/// Colours code. A colour ends with its line and begins again on the next one, so that each line can be printed alone.
fn coloured_lines(code: &str) -> Vec<String> {
    let text = sanitize(code);
    let mut lines = Vec::new();
    let mut line = ColouredLine::default();
    for token in tokenize(text.trim_end()) {
        for (index, part) in token.text.split('\n').enumerate() {
            if index > 0 {
                lines.push(std::mem::take(&mut line).shown);
            }
            line.add(part, token.kind.style());
        }
    }
    lines.push(line.shown);
    lines
}

#[derive(Default)]
struct ColouredLine {
    shown: String,
    /// The number of visible characters; [`WIDEST`] + 1 if the line was cut.
    width: usize,
}

impl ColouredLine {
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

    /// Joins lines and removes their colours.
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
            let sanitize = sanitize(&text);
            let short: Vec<String> = sanitize
                .trim_end()
                .split('\n')
                .map(|line| line.chars().take(WIDEST).collect())
                .collect();
            prop_assert_eq!(plain(&coloured_lines(&text)), short.join("\n"));
        }
    }
}
