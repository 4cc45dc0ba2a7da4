//! Whether the TypeScript that stands in skills can be run at all. It is parsed where all code is parsed: in
//! the sandbox.

use futures_util::future::join_all;

use capstan_core::Diagnostic;
use capstan_core::code::{ScriptError, ScriptErrorKind};
use capstan_core::port::Sandbox;
use capstan_skill::{Library, Skill};

use super::SkillPlans;

/// How many are read at once: enough to keep the readers busy.
const AT_ONCE: usize = 32;

impl SkillPlans {
    /// Skills whose code cannot be run get an error; it is returned, too. Where there is no sandbox, nothing
    /// is known of code, and nothing runs it either.
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
        for some in with_code.chunks(AT_ONCE) {
            let read = some.iter().map(|(index, skill, code)| async move {
                let error = code_error(sandbox, skill, code).await?;
                Some((*index, error))
            });
            errors.extend(join_all(read).await.into_iter().flatten());
        }
        let told = errors.iter().map(|(_, error)| error.clone()).collect();
        (library.with_errors(errors), told)
    }
}

async fn code_error(sandbox: &dyn Sandbox, skill: &Skill, code: &str) -> Option<Diagnostic> {
    let error = sandbox.read(code).await.err()?;
    // A reader that broke says nothing about the code.
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
