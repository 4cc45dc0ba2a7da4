//! What was found, for people and for programs.

use std::io::{IsTerminal as _, Write as _};

use capstan_core::{Diagnostic, Position, Redactor, Severity};
use serde::Serialize;

use crate::args::CheckFormat;
use crate::output::{DIM, ERROR, GOOD, Printer, in_a_line, with_excerpt};

/// More excerpts than anybody reads.
const MOST_EXCERPTS: usize = 100;

pub(super) struct Report {
    pub(super) skills: usize,
    pub(super) cards: usize,
    pub(super) files: usize,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The whole answer, for programs.
#[derive(Serialize)]
struct Answer<'a> {
    ok: bool,
    skills: usize,
    cards: usize,
    files: usize,
    errors: usize,
    warnings: usize,
    hints: usize,
    diagnostics: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Finding<'a> {
    code: &'a str,
    severity: Severity,
    message: &'a str,
    file: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
    labels: Vec<Place<'a>>,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct Place<'a> {
    line: usize,
    column: usize,
    message: &'a str,
}

impl Report {
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
            CheckFormat::Json => return printer.pretty_json(&self.answer(sound)),
            CheckFormat::Short => {
                for diagnostic in &self.diagnostics {
                    printer.line(in_a_line(diagnostic));
                }
                if !std::io::stdout().is_terminal() {
                    // Whoever reads the lines wants nothing else among them.
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
        let shown = self.worst(MOST_EXCERPTS);
        for diagnostic in &shown {
            printer.line(with_excerpt(diagnostic, redactor).trim_end());
            printer.line("");
        }
        let more = self.diagnostics.len() - shown.len();
        if more > 0 {
            printer.line(format!("… and {more} more (use --format short)\n"));
        }
        // Of the worst, the first.
        let worst = shown.iter().rev().max_by_key(|it| it.severity);
        if let Some(Diagnostic { code, .. }) = worst {
            printer.line(format!(
                "{DIM}more about a code: capstan explain {code}{DIM:#}"
            ));
        }
    }

    /// As many as are wanted, errors before all others, in the order of their places.
    fn worst(&self, most: usize) -> Vec<&Diagnostic> {
        let mut places: Vec<usize> = (0..self.diagnostics.len()).collect();
        places.sort_by_key(|place| std::cmp::Reverse(self.diagnostics[*place].severity));
        places.truncate(most);
        places.sort_unstable();
        places
            .into_iter()
            .map(|place| &self.diagnostics[place])
            .collect()
    }

    /// `3 errors, 1 warning in 12 skills (2 files)`, or `12 skills are sound`
    fn summary(&self) -> String {
        let kinds = [
            (Severity::Error, "error"),
            (Severity::Warning, "warning"),
            (Severity::Hint, "hint"),
        ];
        let found = kinds.map(|(severity, word)| (self.count(severity), word));
        let checked = [(self.skills, "skill"), (self.cards, "card")];
        let checked = in_words(checked.iter(), " and ");
        let found = in_words(found.iter(), ", ");
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

    fn answer(&self, ok: bool) -> Answer<'_> {
        Answer {
            ok,
            skills: self.skills,
            cards: self.cards,
            files: self.files,
            errors: self.count(Severity::Error),
            warnings: self.count(Severity::Warning),
            hints: self.count(Severity::Hint),
            diagnostics: self.diagnostics.iter().map(Finding::from).collect(),
        }
    }

    fn count(&self, severity: Severity) -> usize {
        let same = self.diagnostics.iter().filter(|it| it.severity == severity);
        same.count()
    }
}

impl<'a> From<&'a Diagnostic> for Finding<'a> {
    fn from(found: &'a Diagnostic) -> Self {
        let start = found.position();
        let end = found.span.map(|span| found.source.position(span.end));
        let place = |label: &'a capstan_core::Label| {
            let Position { line, column } = found.source.position(label.span.start);
            Place {
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
            labels: found.labels.iter().map(place).collect(),
            help: found.help.as_deref(),
        }
    }
}

fn in_words<'a>(counts: impl Iterator<Item = &'a (usize, &'a str)>, between: &str) -> String {
    let some = counts.filter(|(count, _)| *count > 0);
    let words: Vec<_> = some.map(|(count, word)| counted(*count, word)).collect();
    words.join(between)
}

fn counted(count: usize, word: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {word}{s}")
}
