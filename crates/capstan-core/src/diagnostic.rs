//! One diagnostic type for everything that people write by hand: cards, skills, configuration.
//!
//! Renderers are in the crates that show diagnostics; this file has only the data.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::Serialize;

/// A finding about a source text.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// A stable code such as `E041`.
    pub code: &'static str,
    pub severity: Severity,
    pub message: String,
    pub source: Arc<Source>,
    pub span: Option<Span>,
    pub labels: Vec<Label>,
    pub help: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Hint,
    Warning,
    Error,
}

/// A named text that spans point into.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    pub text: String,
    /// The start of each line, computed on first use, because a file may have thousands of
    /// findings.
    lines: OnceLock<Vec<usize>>,
}

/// A byte range of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

/// A second place that explains the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub message: String,
}

/// A place as people count it: line and column from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl Diagnostic {
    pub fn error(code: &'static str, source: &Arc<Source>, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            source: Arc::clone(source),
            span: None,
            labels: Vec::new(),
            help: None,
        }
    }

    #[must_use]
    pub fn at(mut self, span: Option<Span>) -> Self {
        self.span = span;
        self
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn position(&self) -> Option<Position> {
        self.span.map(|span| self.source.position(span.start))
    }
}

/// Formats a diagnostic in one line: `file:line:column: error[E041]: message`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source.name)?;
        if let Some(Position { line, column }) = self.position() {
            write!(f, ":{line}:{column}")?;
        }
        let severity = match self.severity {
            Severity::Hint => "hint",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, ": {severity}[{}]: {}", self.code, self.message)?;
        match &self.help {
            Some(help) => {
                let lines: Vec<_> = help.lines().map(str::trim).collect();
                write!(f, " (help: {})", lines.join(" "))
            }
            None => Ok(()),
        }
    }
}

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self {
            name: name.into(),
            text: text.into(),
            lines: OnceLock::new(),
        })
    }

    /// Returns the place of a byte offset. An offset past the end is the end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let lines = self.lines();
        let line = lines.partition_point(|start| *start <= offset);
        let line_start = lines[line - 1];
        Position {
            line,
            column: self.text[line_start..offset].chars().count() + 1,
        }
    }

    /// Returns the byte offset of a place. A place past the end is the end.
    pub fn offset(&self, Position { line, column }: Position) -> usize {
        let Some(line_start) = self.lines().get(line.saturating_sub(1)) else {
            return self.text.len();
        };
        let rest = &self.text[*line_start..];
        rest.char_indices()
            .nth(column.saturating_sub(1))
            .map_or(self.text.len(), |(offset, _)| line_start + offset)
    }

    /// Returns the starts of the lines. It is never empty: the first line starts at 0.
    fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let further = self.text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(further).collect()
        })
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.text) == (&other.name, &other.text)
    }
}

impl Eq for Source {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let source = Source::new("a.yaml", "ä: 1\nb: ö\n");
        let position = source.position(source.text.find('ö').unwrap());
        assert_eq!(position, Position { line: 2, column: 4 });
        assert_eq!(source.offset(position), source.text.find('ö').unwrap());
        assert_eq!(source.position(999), Position { line: 3, column: 1 });
        assert_eq!(
            source.offset(Position {
                line: 99,
                column: 1
            }),
            source.text.len()
        );
    }

    #[test]
    fn places_and_offsets_agree_everywhere() {
        let source = Source::new("a.yaml", "\u{feff}ä: 1\r\n\n  😀: ö\n\nend");
        for offset in 0..=source.text.len() + 2 {
            let place = source.position(offset);
            let start = source.offset(place);
            assert_eq!(start, source.text.floor_char_boundary(offset), "{place:?}");
        }
        assert_eq!(source, Source::new("a.yaml", source.text.clone()));
    }

    #[test]
    fn one_line_names_file_and_place() {
        let source = Source::new("a.yaml", "x: y\n");
        let diagnostic = Diagnostic::error("E041", &source, "no such field")
            .at(Some(Span { start: 3, end: 4 }))
            .with_help("remove it");
        assert_eq!(
            diagnostic.to_string(),
            "a.yaml:1:4: error[E041]: no such field (help: remove it)"
        );
    }
}
