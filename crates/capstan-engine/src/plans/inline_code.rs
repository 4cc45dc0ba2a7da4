//! Checks that inline TypeScript in skills can be parsed. As with all code, the sandbox parses it.

use futures_util::future::join_all;

use capstan_core::Diagnostic;
use capstan_core::code::{ScriptError, ScriptErrorKind};
use capstan_core::port::Sandbox;
use capstan_skill::{Library, Skill};

use super::SkillPlans;

/// How many pieces of code are parsed at the same time: enough to keep the readers of the sandbox busy.
const READ_AT_ONCE: usize = 32;

impl SkillPlans {
    /// Adds an error to each skill whose inline code cannot be run. Returns the library and these errors. Without a
    /// sandbox the code is not checked, and it cannot be run either.
    pub(super) async fn with_readable_code(&self, library: Library) -> (Library, Vec<Diagnostic>) {
        let Ok(sandbox) = self.shared.sandbox() else {
            return (library, Vec::new());
        };
        let with_code: Vec<_> = library
            .skills()
            .iter()
            .enumerate()
            .filter_map(|(index, skill)| Some((index, skill.as_ref(), skill.inline_code()?)))
            .collect();
        let mut errors = Vec::new();
        for some in with_code.chunks(READ_AT_ONCE) {
            let read = some.iter().map(|(index, skill, code)| async move {
                let error = code_error(sandbox, skill, code).await?;
                Some((*index, error))
            });
            errors.extend(join_all(read).await.into_iter().flatten());
        }
        let diagnostics = errors.iter().map(|(_, error)| error.clone()).collect();
        (library.with_errors(errors), diagnostics)
    }
}

/// Returns the error in the inline code of a skill; `None` if the sandbox accepts it.
async fn code_error(sandbox: &dyn Sandbox, skill: &Skill, code: &str) -> Option<Diagnostic> {
    let error = sandbox.read(code).await.err()?;
    // A broken reader says nothing about the code.
    let is_about_code = matches!(
        error.kind,
        ScriptErrorKind::Syntax | ScriptErrorKind::Unsupported | ScriptErrorKind::Limit(_)
    );
    is_about_code.then(|| skill.code_error(&reason(&error)))
}

fn reason(error: &ScriptError) -> String {
    let message = &error.message;
    match &error.place {
        Some(place) => format!(
            "{message} (line {}, column {} of the code)",
            place.line, place.column
        ),
        None => message.clone(),
    }
}
