//! Diagnostics on standard error: with an excerpt for people, a line each for programs.

use std::io::{IsTerminal as _, Write as _};

use capstan_core::{Diagnostic, Redactor, Severity};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceSpan};

use super::Table;

pub(crate) fn print_diagnostics(diagnostics: &[Diagnostic], redactor: &Redactor) {
    let people = std::io::stderr().is_terminal();
    for diagnostic in diagnostics {
        let text = if people {
            excerpt(diagnostic)
        } else {
            diagnostic.to_string()
        };
        let _ = writeln!(anstream::stderr(), "{}", redactor.text(text.trim_end()));
    }
}

fn excerpt(diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Hint => miette::Severity::Advice,
        Severity::Warning => miette::Severity::Warning,
        Severity::Error => miette::Severity::Error,
    };
    let mut report = miette::MietteDiagnostic::new(diagnostic.message.clone())
        .with_code(diagnostic.code)
        .with_severity(severity);
    if let Some(help) = &diagnostic.help {
        report = report.with_help(help.clone());
    }
    if let Some(span) = diagnostic.span {
        let at = SourceSpan::from(
            span.start..span.end.min(diagnostic.source.text.len()).max(span.start),
        );
        report = report.with_label(LabeledSpan::new_primary_with_span(None, at));
    }
    let source = NamedSource::new(&diagnostic.source.name, diagnostic.source.text.clone());
    let report = miette::Report::new(report).with_source_code(source);
    let mut text = String::new();
    let mut handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode());
    if let Some(width) = Table::room() {
        handler = handler.with_width(width);
    }
    match handler.render_report(&mut text, &*report) {
        Ok(()) => text,
        Err(_) => diagnostic.to_string(),
    }
}
