//! How it is told that something will not do for a step: what it needs, what it is given and by whom.

use std::sync::Arc;

use capstan_core::expr::Expr;
use capstan_core::{Diagnostic, Source, Span};
use capstan_schema::Mismatch;

use super::fit::reasons;
use super::scope::{Meaning, Scope};
use super::types::Ty;
use crate::Given;
use crate::codes::{BOUNDS, TYPE};
use crate::findings::{Findings, More as _};
use crate::places::within;
use crate::render::expression;
use crate::skill::Skill;

/// Something that a step needs, and what it is given for it.
pub(super) struct Handed<'a> {
    pub(super) skill: &'a Skill,
    pub(super) scope: &'a Scope<'a>,
    /// Who takes it.
    pub(super) step: usize,
    pub(super) name: &'a str,
    pub(super) wanted: &'a Ty,
    pub(super) given: &'a Given,
    pub(super) ty: &'a Ty,
    pub(super) giver: Giver<'a>,
    /// Where the file says so.
    pub(super) span: Span,
}

/// Who gives something, and what it is called there.
#[derive(Clone, Copy)]
pub(super) enum Giver<'a> {
    /// `inputs` of the file.
    File,
    Step(usize, &'a str),
    Skill(&'a str),
}

impl Handed<'_> {
    /// It is of another type.
    pub(super) fn tell_type(&self, mismatches: &[Mismatch], findings: &mut Findings) {
        let (needs, gives) = (self.needs(), self.gives());
        let message = match self.wanted.words() == self.ty.words() {
            true => format!(
                "`{}` {needs}; {gives}, which is not always that",
                self.taker()
            ),
            false => format!("`{}` {needs}; {gives}", self.taker()),
        };
        let found = findings.error(TYPE, self.source(), self.span, message);
        found.help(self.meant().or_else(|| self.further(mismatches)));
        self.label(found);
    }

    /// A text that would be an expression with a `$` before it.
    fn meant(&self) -> Option<String> {
        let (Giver::File, Given::Literal(serde_json::Value::String(text))) =
            (self.giver, self.given)
        else {
            return None;
        };
        let meant = self.scope.with_dollar(text)?;
        Some(format!(
            "expressions begin with `$`: did you mean `{meant}`?"
        ))
    }

    /// It may be missing, and is required.
    pub(super) fn tell_missing(&self, findings: &mut Findings) {
        let otherwise = match self.given {
            Given::Expr(Expr::Path(path)) => {
                let otherwise = format!("`{}: {path} | default(…)`", self.name);
                format!("say in `inputs` what it is otherwise: {otherwise}")
            }
            _ => "say in `inputs` what it is otherwise, with `default`".to_owned(),
        };
        let (missing, help) = match self.giver {
            Giver::File => (
                match self.given {
                    Given::Expr(expr) => {
                        format!("it is given `{}`, which may be missing", expression(expr))
                    }
                    _ => "what it is given may be missing".to_owned(),
                },
                otherwise,
            ),
            Giver::Step(step, field) => {
                let step = self.scope.step_name(step);
                (format!("`{step}` gives {field} only sometimes"), otherwise)
            }
            Giver::Skill(field) => (
                format!("the input `{field}` of the skill may be missing"),
                format!("add `{field}` to `required` of `input_schema`, or {otherwise}"),
            ),
        };
        let message = format!("`{}` {}; {missing}", self.taker(), self.needs());
        let found = findings.error(TYPE, self.source(), self.span, message);
        found.help(Some(help));
        self.label_as(found, "may be missing");
    }

    /// It is of the right type; whether it is in the bounds is seen when it runs.
    pub(super) fn tell_bounds(&self, mismatches: &[Mismatch], findings: &mut Findings) {
        let taker = self.taker();
        let told: Vec<_> = mismatches
            .iter()
            .map(|it| format!("{} {}", within(self.name, &it.path), it.reason))
            .collect();
        let message = format!(
            "what `{taker}` is given is checked only when it runs: {}",
            told.join("; ")
        );
        findings.hint(BOUNDS, self.source(), self.span, message);
    }

    /// `user_id: string`, as it is given.
    pub(super) fn gives(&self) -> String {
        let words = self.ty.words();
        match self.giver {
            Giver::File => format!("it is given {words}"),
            Giver::Step(step, field) => {
                format!("`{}` gives {field}: {words}", self.scope.step_name(step))
            }
            Giver::Skill(field) => format!("the skill gives {field}: {words}"),
        }
    }

    /// Where they part, if the types do not say it.
    pub(super) fn further(&self, mismatches: &[Mismatch]) -> Option<String> {
        let is_said = |it: &Mismatch| it.path.is_empty() && it.reason.starts_with("gives ");
        let further: Vec<Mismatch> = mismatches
            .iter()
            .filter(|it| !is_said(it))
            .map(|it| Mismatch {
                path: within(self.name, &it.path),
                reason: it.reason.clone(),
            })
            .collect();
        (!further.is_empty()).then(|| reasons(&further))
    }

    /// At whoever takes it, and whoever gives it.
    pub(super) fn label(&self, found: &mut Diagnostic) {
        self.label_as(found, &format!("is {}", self.ty.words()));
    }

    fn label_as(&self, found: &mut Diagnostic, own: &str) {
        let mut place = |span: Span, message: String| {
            if span != self.span {
                found.label(span, message);
            }
        };
        let taker = self.scope.parts[self.step].compose;
        place(taker.skill.span, self.needs());
        let words = self.ty.words();
        let giver = match (self.giver, self.given) {
            (Giver::Step(step, field), _) => Some((step, field.to_owned())),
            (Giver::File, Given::Expr(Expr::Path(path))) => match self.scope.meaning(path) {
                Meaning::Output(step, [capstan_core::expr::Segment::Key(field), ..]) => {
                    Some((step, field.clone()))
                }
                _ => None,
            },
            _ => None,
        };
        match (giver, self.giver) {
            (Some((step, field)), _) => {
                let giver = self.scope.parts[step].compose.skill.span;
                place(giver, format!("gives {field}: {words}"));
            }
            (None, Giver::Skill(field)) => {
                if let Some(span) = self.skill.origin.inputs.find(field) {
                    place(span, own.to_owned());
                }
            }
            (None, _) => {}
        }
    }

    fn needs(&self) -> String {
        format!("needs {}: {}", self.name, self.wanted.words())
    }

    fn taker(&self) -> &str {
        self.scope.step_name(self.step)
    }

    fn source(&self) -> &Arc<Source> {
        &self.skill.origin.source
    }
}
