//! The result of `capstan check`, for people and for programs.

use std::io::{IsTerminal as _, Write as _};

use capstan_core::{Diagnostic, Position, Redactor, Severity};
use serde::Serialize;

use crate::args::CheckFormat;
use crate::output::{DIM, ERROR, GOOD, Printer, diagnostic_with_excerpt, one_line_diagnostic};

/// The largest number of excerpts that `--format full` prints.
const MAX_EXCERPTS: usize = 100;

/// The number of checked items, and the diagnostics.
pub(super) struct CheckReport {
    pub(super) skills: usize,
    pub(super) cards: usize,
    pub(super) files: usize,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The report as JSON.
#[derive(Serialize)]
struct JsonReport<'a> {
    ok: bool,
    skills: usize,
    cards: usize,
    files: usize,
    errors: usize,
    warnings: usize,
    hints: usize,
    diagnostics: Vec<JsonDiagnostic<'a>>,
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: &'a str,
    severity: Severity,
    message: &'a str,
    file: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
    labels: Vec<JsonLabel<'a>>,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    line: usize,
    column: usize,
    message: &'a str,
}

impl CheckReport {
    /// Whether the check passes. `deny_warnings` makes warnings fail it.
    pub(super) fn is_sound(&self, deny_warnings: bool) -> bool {
        let denied = if deny_warnings {
            self.count(Severity::Warning)
        } else {
            0
        };
        self.count(Severity::Error) + denied == 0
    }

    pub(super) fn print(
        &self,
        printer: &Printer,
        redactor: &Redactor,
        format: CheckFormat,
        sound: bool,
    ) -> anyhow::Result<()> {
        let style = if sound { GOOD } else { ERROR };
        let summary = format!("{style}{}{style:#}", self.summary());
        match format {
            CheckFormat::Json => return printer.pretty_json(&self.to_json(sound)),
            CheckFormat::Short => {
                for diagnostic in &self.diagnostics {
                    printer.line(one_line_diagnostic(diagnostic));
                }
                if !std::io::stdout().is_terminal() {
                    // A program that reads the lines expects only diagnostics on standard output.
                    let _ = writeln!(anstream::stderr(), "{summary}");
                    return Ok(());
                }
            }
            CheckFormat::Full => self.print_excerpts(printer, redactor),
        }
        printer.line(summary);
        Ok(())
    }

    fn print_excerpts(&self, printer: &Printer, redactor: &Redactor) {
        let shown = self.worst(MAX_EXCERPTS);
        for diagnostic in &shown {
            printer.line(diagnostic_with_excerpt(diagnostic, redactor).trim_end());
            printer.line("");
        }
        let more = self.diagnostics.len() - shown.len();
        if more > 0 {
            printer.line(format!("… and {more} more (use --format short)\n"));
        }
        // `max_by_key` returns the last maximum, so the reversed order gives the first of the worst.
        let worst = shown.iter().rev().max_by_key(|it| it.severity);
        if let Some(Diagnostic { code, .. }) = worst {
            printer.line(format!(
                "{DIM}more about a code: capstan explain {code}{DIM:#}"
            ));
        }
    }

    /// Returns at most `most` diagnostics, the most severe ones, in their original order.
    fn worst(&self, most: usize) -> Vec<&Diagnostic> {
        let mut indices: Vec<usize> = (0..self.diagnostics.len()).collect();
        indices.sort_by_key(|index| std::cmp::Reverse(self.diagnostics[*index].severity));
        indices.truncate(most);
        indices.sort_unstable();
        indices
            .into_iter()
            .map(|index| &self.diagnostics[index])
            .collect()
    }

    /// Returns a summary such as `3 errors, 1 warning in 12 skills (2 files)` or `12 skills are sound`.
    fn summary(&self) -> String {
        let kinds = [
            (Severity::Error, "error"),
            (Severity::Warning, "warning"),
            (Severity::Hint, "hint"),
        ];
        let counts = kinds.map(|(severity, word)| (self.count(severity), word));
        let items = [(self.skills, "skill"), (self.cards, "card")];
        let checked = join_counts(items.iter(), " and ");
        let found = join_counts(counts.iter(), ", ");
        let files = counted(self.files, "file");
        let are = if self.skills + self.cards == 1 {
            "is"
        } else {
            "are"
        };
        match (found.is_empty(), checked.is_empty()) {
            (true, true) => format!("there are no skills and no cards in {files}"),
            (true, false) => format!("{checked} {are} sound"),
            (false, true) => format!("{found} in {files}"),
            (false, false) => format!("{found} in {checked} ({files})"),
        }
    }

    fn to_json(&self, ok: bool) -> JsonReport<'_> {
        JsonReport {
            ok,
            skills: self.skills,
            cards: self.cards,
            files: self.files,
            errors: self.count(Severity::Error),
            warnings: self.count(Severity::Warning),
            hints: self.count(Severity::Hint),
            diagnostics: self.diagnostics.iter().map(JsonDiagnostic::from).collect(),
        }
    }

    fn count(&self, severity: Severity) -> usize {
        let same = self.diagnostics.iter().filter(|it| it.severity == severity);
        same.count()
    }
}

impl<'a> From<&'a Diagnostic> for JsonDiagnostic<'a> {
    fn from(found: &'a Diagnostic) -> Self {
        let start = found.position();
        let end = found.span.map(|span| found.source.position(span.end));
        let to_label = |label: &'a capstan_core::Label| {
            let Position { line, column } = found.source.position(label.span.start);
            JsonLabel {
                line,
                column,
                message: &label.message,
            }
        };
        Self {
            code: found.code,
            severity: found.severity,
            message: &found.message,
            file: &found.source.name,
            line: start.map(|it| it.line),
            column: start.map(|it| it.column),
            end_line: end.map(|it| it.line),
            end_column: end.map(|it| it.column),
            labels: found.labels.iter().map(to_label).collect(),
            help: found.help.as_deref(),
        }
    }
}

/// Joins counts such as `3 errors` with `between`, leaving out those that are zero.
fn join_counts<'a>(counts: impl Iterator<Item = &'a (usize, &'a str)>, between: &str) -> String {
    let some = counts.filter(|(count, _)| *count > 0);
    let words: Vec<_> = some.map(|(count, word)| counted(*count, word)).collect();
    words.join(between)
}

/// Returns `1 file` or `2 files`.
fn counted(count: usize, word: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {word}{s}")
}
