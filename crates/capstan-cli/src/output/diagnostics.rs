//! Diagnostics: with an excerpt for people, a line each for programs.

mod excerpt;
mod folded;
mod shown_line;

use std::io::{IsTerminal as _, Write as _};

use capstan_core::{Diagnostic, Redactor, Severity};
use miette::{GraphicalReportHandler, GraphicalTheme};

use super::{Table, harmless};
use excerpt::Excerpt;
use folded::folded;

/// Where nobody knows how wide the terminal is.
const USUAL_WIDTH: usize = 80;

/// What stands before a message, and before a help.
const BEFORE_MESSAGE: usize = 4;
const BEFORE_HELP: usize = 8;

/// On standard error.
pub(crate) fn print_diagnostics(diagnostics: &[Diagnostic], redactor: &Redactor) {
    let people = std::io::stderr().is_terminal();
    for diagnostic in diagnostics {
        let text = if people {
            with_excerpt(diagnostic, redactor)
        } else {
            in_a_line(diagnostic)
        };
        let _ = writeln!(anstream::stderr(), "{}", redactor.text(text.trim_end()));
    }
}

/// One line, whatever was quoted.
pub(crate) fn in_a_line(diagnostic: &Diagnostic) -> String {
    let text = diagnostic.to_string();
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    harmless(&lines.join(" ")).into_owned()
}

/// What is wrong, the lines where it is, and what helps; as wide as the terminal.
pub(crate) fn with_excerpt(diagnostic: &Diagnostic, redactor: &Redactor) -> String {
    let width = Table::room().unwrap_or(USUAL_WIDTH);
    // Before lines are broken: the halves of a secret would not be known for one.
    let safe = |text: &str, before: usize| {
        folded(
            &harmless(&redactor.text(text)),
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
        // Nothing else would say where it is.
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
    let excerpt = Excerpt::of(diagnostic, redactor, width);
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
        Err(_) => in_a_line(diagnostic),
    }
}
