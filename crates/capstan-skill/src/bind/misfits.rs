//! Reports values that a step cannot accept: what the step needs, what it receives, and from where.

use std::sync::Arc;

use capstan_core::expr::Expr;
use capstan_core::{Diagnostic, Source, Span};
use capstan_schema::Mismatch;

use super::fit::reasons;
use super::scope::{BindScope, Meaning};
use super::types::Ty;
use crate::Given;
use crate::codes::{BOUNDS, TYPE};
use crate::findings::{DiagnosticExt as _, Findings};
use crate::places::within;
use crate::render::expression;
use crate::skill::Skill;

/// A value that is passed to an input of a step.
pub(super) struct PassedValue<'a> {
    pub(super) skill: &'a Skill,
    pub(super) scope: &'a BindScope<'a>,
    /// The step that receives the value.
    pub(super) step: usize,
    pub(super) name: &'a str,
    pub(super) wanted: &'a Ty,
    pub(super) given: &'a Given,
    pub(super) ty: &'a Ty,
    pub(super) producer: Producer<'a>,
    /// Where the file passes the value.
    pub(super) span: Span,
}

/// The origin of a value, with the name that it has there.
#[derive(Clone, Copy)]
pub(super) enum Producer<'a> {
    /// `inputs` in the file.
    File,
    Step(usize, &'a str),
    Skill(&'a str),
}

impl PassedValue<'_> {
    /// Reports that the value has the wrong type.
    pub(super) fn report_type(&self, mismatches: &[Mismatch], findings: &mut Findings) {
        let (needs, gives) = (self.needs_text(), self.gives_text());
        let message = if self.wanted.words() == self.ty.words() {
            format!(
                "`{}` {needs}; {gives}, which is not always that",
                self.consumer()
            )
        } else {
            format!("`{}` {needs}; {gives}", self.consumer())
        };
        let found = findings.error(TYPE, self.source(), self.span, message);
        found.help(self.meant().or_else(|| self.further(mismatches)));
        self.label(found);
    }

    /// Suggests an expression for a text that would be valid with a `$` in front.
    fn meant(&self) -> Option<String> {
        let (Producer::File, Given::Literal(serde_json::Value::String(text))) =
            (self.producer, self.given)
        else {
            return None;
        };
        let meant = self.scope.with_dollar(text)?;
        Some(format!(
            "expressions begin with `$`: did you mean `{meant}`?"
        ))
    }

    /// Reports that the value may be missing although it is required.
    pub(super) fn report_missing(&self, findings: &mut Findings) {
        let otherwise = match self.given {
            Given::Expr(Expr::Path(path)) => {
                let otherwise = format!("`{}: {path} | default(…)`", self.name);
                format!("give it a default in `inputs`: {otherwise}")
            }
            _ => "give it a `default` in `inputs`".to_owned(),
        };
        let (missing, help) = match self.producer {
            Producer::File => (
                match self.given {
                    Given::Expr(expr) => {
                        format!("its value `{}` may be missing", expression(expr))
                    }
                    _ => "its value may be missing".to_owned(),
                },
                otherwise,
            ),
            Producer::Step(step, field) => {
                let step = self.scope.step_name(step);
                (format!("`{step}` gives {field} only sometimes"), otherwise)
            }
            Producer::Skill(field) => (
                format!("the input `{field}` of the skill may be missing"),
                format!("add `{field}` to `required` of `input_schema`, or {otherwise}"),
            ),
        };
        let message = format!("`{}` {}; {missing}", self.consumer(), self.needs_text());
        let found = findings.error(TYPE, self.source(), self.span, message);
        found.help(Some(help));
        self.label_as(found, "may be missing");
    }

    /// Reports that the value has the right type but may be out of bounds, which is checked at run time.
    pub(super) fn report_bounds(&self, mismatches: &[Mismatch], findings: &mut Findings) {
        let consumer = self.consumer();
        let told: Vec<_> = mismatches
            .iter()
            .map(|it| format!("{} {}", within(self.name, &it.path), it.reason))
            .collect();
        let message = format!(
            "the input of `{consumer}` is checked only when it runs: {}",
            told.join("; ")
        );
        findings.hint(BOUNDS, self.source(), self.span, message);
    }

    /// Describes the origin and the type: `user_id: string`.
    pub(super) fn gives_text(&self) -> String {
        let words = self.ty.words();
        match self.producer {
            Producer::File => format!("its value is {words}"),
            Producer::Step(step, field) => {
                format!("`{}` gives {field}: {words}", self.scope.step_name(step))
            }
            Producer::Skill(field) => format!("the skill gives {field}: {words}"),
        }
    }

    /// Lists the details of a mismatch, unless the types alone show it.
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

    /// Labels the consumer and the producer of the value.
    pub(super) fn label(&self, found: &mut Diagnostic) {
        self.label_as(found, &format!("is {}", self.ty.words()));
    }

    fn label_as(&self, found: &mut Diagnostic, own: &str) {
        let mut place = |span: Span, message: String| {
            if span != self.span {
                found.label(span, message);
            }
        };
        let consumer = self.scope.parts[self.step].compose;
        place(consumer.skill.span, self.needs_text());
        let words = self.ty.words();
        let producer = match (self.producer, self.given) {
            (Producer::Step(step, field), _) => Some((step, field.to_owned())),
            (Producer::File, Given::Expr(Expr::Path(path))) => match self.scope.meaning(path) {
                Meaning::Output(step, [capstan_core::expr::Segment::Key(field), ..]) => {
                    Some((step, field.clone()))
                }
                _ => None,
            },
            _ => None,
        };
        match (producer, self.producer) {
            (Some((step, field)), _) => {
                let producer = self.scope.parts[step].compose.skill.span;
                place(producer, format!("gives {field}: {words}"));
            }
            (None, Producer::Skill(field)) => {
                if let Some(span) = self.skill.origin.inputs.find(field) {
                    place(span, own.to_owned());
                }
            }
            (None, _) => {}
        }
    }

    fn needs_text(&self) -> String {
        format!("needs {}: {}", self.name, self.wanted.words())
    }

    fn consumer(&self) -> &str {
        self.scope.step_name(self.step)
    }

    fn source(&self) -> &Arc<Source> {
        &self.skill.origin.source
    }
}
