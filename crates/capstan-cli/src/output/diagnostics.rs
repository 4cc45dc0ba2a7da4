//! Prints diagnostics: with an excerpt of the file for people, on one line for programs.

mod excerpt;
mod folded;
mod shown_line;

use std::io::{IsTerminal as _, Write as _};

use capstan_core::{Diagnostic, Redactor, Severity};
use miette::{GraphicalReportHandler, GraphicalTheme};

use super::{Table, sanitize};
use excerpt::Excerpt;
use folded::folded;

/// The width that is assumed if the width of the terminal is unknown.
const DEFAULT_WIDTH: usize = 80;

/// The number of columns before a message, and before a help text.
const BEFORE_MESSAGE: usize = 4;
const BEFORE_HELP: usize = 8;

/// Prints diagnostics on standard error.
pub(crate) fn print_diagnostics(diagnostics: &[Diagnostic], redactor: &Redactor) {
    let people = std::io::stderr().is_terminal();
    for diagnostic in diagnostics {
        let text = if people {
            diagnostic_with_excerpt(diagnostic, redactor)
        } else {
            one_line_diagnostic(diagnostic)
        };
        let _ = writeln!(anstream::stderr(), "{}", redactor.text(text.trim_end()));
    }
}

/// Formats a diagnostic on one line, even if it quotes several.
pub(crate) fn one_line_diagnostic(diagnostic: &Diagnostic) -> String {
    let text = diagnostic.to_string();
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    sanitize(&lines.join(" ")).into_owned()
}

/// Formats a diagnostic with the lines that it is about and its help text, to fit the terminal.
pub(crate) fn diagnostic_with_excerpt(diagnostic: &Diagnostic, redactor: &Redactor) -> String {
    let width = Table::terminal_width().unwrap_or(DEFAULT_WIDTH);
    // Secrets are masked before the text is wrapped, because the redactor would not find one that spans two lines.
    let safe = |text: &str, before: usize| {
        folded(
            &sanitize(&redactor.text(text)),
            width.saturating_sub(before),
        )
    };
    let severity = match diagnostic.severity {
        Severity::Hint => miette::Severity::Advice,
        Severity::Warning => miette::Severity::Warning,
        Severity::Error => miette::Severity::Error,
    };
    let file = &diagnostic.source.name;
    let message = if diagnostic.span.is_none() && !diagnostic.message.contains(file.as_str()) {
        // There is no excerpt that names the file.
        format!("{file}: {}", diagnostic.message)
    } else {
        diagnostic.message.clone()
    };
    let mut report = miette::MietteDiagnostic::new(safe(&message, BEFORE_MESSAGE))
        .with_code(diagnostic.code)
        .with_severity(severity);
    if let Some(help) = &diagnostic.help {
        report = report.with_help(safe(help, BEFORE_HELP));
    }
    let excerpt = Excerpt::new(diagnostic, redactor, width);
    if let Some(excerpt) = &excerpt {
        report = report.with_labels(excerpt.labels());
    }
    let mut report = miette::Report::new(report);
    if let Some(excerpt) = excerpt {
        report = report.with_source_code(excerpt);
    }
    let mut text = String::new();
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode())
        .with_width(width)
        .with_wrap_lines(false);
    match handler.render_report(&mut text, &*report) {
        Ok(()) => text,
        Err(_) => one_line_diagnostic(diagnostic),
    }
}
