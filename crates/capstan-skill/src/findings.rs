//! Collects the diagnostics of the checker.

use std::sync::Arc;

use capstan_core::{Diagnostic, Label, Severity, Source, Span};

#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) all: Vec<Diagnostic>,
}

impl Findings {
    pub(crate) fn error(
        &mut self,
        code: &'static str,
        source: &Arc<Source>,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add(Severity::Error, code, source, span, message)
    }

    pub(crate) fn warning(
        &mut self,
        code: &'static str,
        source: &Arc<Source>,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add(Severity::Warning, code, source, span, message)
    }

    pub(crate) fn hint(
        &mut self,
        code: &'static str,
        source: &Arc<Source>,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add(Severity::Hint, code, source, span, message)
    }

    fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        source: &Arc<Source>,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let found = Diagnostic {
            severity,
            ..Diagnostic::error(code, source, message).at(Some(span))
        };
        let place = self.all.len();
        self.all.push(found);
        &mut self.all[place]
    }
}

/// Adds details to a diagnostic in place.
pub(crate) trait DiagnosticExt {
    fn help(&mut self, help: Option<String>) -> &mut Self;
    fn label(&mut self, span: Span, message: impl Into<String>) -> &mut Self;
}

impl DiagnosticExt for Diagnostic {
    fn help(&mut self, help: Option<String>) -> &mut Self {
        self.help = help.or(self.help.take());
        self
    }

    fn label(&mut self, span: Span, message: impl Into<String>) -> &mut Self {
        self.labels.push(Label {
            span,
            message: message.into(),
        });
        self
    }
}
