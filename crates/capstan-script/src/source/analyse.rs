//! Resolves scopes and symbols, and reports the errors that only they show.

use capstan_core::code::{ScriptError, ScriptErrorKind};
use oxc_ast::ast::Program;
use oxc_diagnostics::{Diagnostics, OxcDiagnostic};
use oxc_semantic::{Semantic, SemanticBuilder};

use super::Lines;

pub(crate) fn analyse<'a>(
    program: &'a Program<'a>,
    lines: &Lines<'_>,
) -> Result<Semantic<'a>, ScriptError> {
    // Stripping types adds scopes and symbols: for enums, namespaces, parameter properties.
    let built = SemanticBuilder::new()
        .with_check_syntax_error(true)
        .with_enum_eval(true)
        .with_excess_capacity(0.5)
        .build(program);
    match first_error(&built.diagnostics, lines) {
        Some(error) => Err(error),
        None => Ok(built.semantic),
    }
}

/// Returns the first error in the text.
pub(crate) fn first_error(diagnostics: &Diagnostics, lines: &Lines<'_>) -> Option<ScriptError> {
    let first = diagnostics.errors().min_by_key(|error| offset(error))?;
    let place = offset(first).map(|offset| lines.place(offset));
    Some(ScriptError::new(ScriptErrorKind::Syntax, message_of(first)).at(place))
}

/// Returns the last labelled position, which is where it went wrong: for example, the first label
/// is an opening bracket and the last is what was found instead of the closing one.
fn offset(error: &OxcDiagnostic) -> Option<usize> {
    let starts = error.labels.iter().map(|label| label.offset() as usize);
    starts.max()
}

fn message_of(error: &OxcDiagnostic) -> String {
    let message = as_clause(&error.message);
    match &error.help {
        Some(help) => format!("{message}: {}", as_clause(help)),
        None => message,
    }
}

/// Removes the initial capital and the full stop, which do not fit inside another sentence.
fn as_clause(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if first.is_uppercase() && !second.is_uppercase() => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text.to_owned(),
    }
}
