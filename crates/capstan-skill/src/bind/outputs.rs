//! Binds the output of a skill: as declared, or else from the fields that its steps produce.

use std::collections::BTreeMap;

use capstan_core::Span;
use capstan_core::expr::Expr;
use capstan_core::similar::suggestions;
use capstan_schema::{Mismatch, Schema, assignable_projected};
use serde_json::{Map, Value, json};

use super::by_name::{candidates, from_output, known_names};
use super::expression::{report, steps_of, type_of};
use super::fit::mismatches;
use super::order::WrittenOrder;
use super::scope::BindScope;
use super::types::Ty;
use crate::Given;
use crate::codes::{MAPPING, OUTPUT};
use crate::findings::{DiagnosticExt as _, Findings};
use crate::near::did_you_mean;
use crate::places::within;
use crate::render::expression;
use crate::skill::Skill;

pub(super) struct Outputs {
    pub(super) fields: Vec<(String, Given)>,
    /// All steps in order, if the output fields of some are known only at run time; otherwise empty.
    pub(super) spread: Vec<usize>,
    /// The schema of the output; `None` if too little is known.
    pub(super) schema: Option<Value>,
}

pub(super) fn bind(
    skill: &Skill,
    scope: &BindScope<'_>,
    written: &WrittenOrder<'_>,
    skippable: &[bool],
    findings: &mut Findings,
) -> Outputs {
    let explicit = explicit(skill, scope, findings);
    match &skill.output_schema {
        Some(declared) => Outputs {
            fields: declared_fields(skill, scope, written, skippable, explicit, findings),
            spread: Vec::new(),
            schema: Some(declared.value.clone()),
        },
        None => inferred(scope, written, skippable, explicit),
    }
}

/// Explicit outputs by field name.
type Explicit = BTreeMap<String, OutputSource>;

/// Where a field of the output comes from.
struct OutputSource {
    given: Given,
    ty: Ty,
    /// The place in `outputs` that says so.
    span: Option<Span>,
}

fn explicit(skill: &Skill, scope: &BindScope<'_>, findings: &mut Findings) -> Explicit {
    let mut explicit = Explicit::new();
    let document = skill.output_schema.as_ref().map(|it| &it.value);
    let source = &skill.origin.source;
    for (name, given) in &skill.outputs {
        if let Some(schema) = document.map(Schema::new)
            && schema.is_closed()
            && schema.property(&name.value).is_none()
        {
            let known: Vec<_> = schema.properties().iter().map(|(name, _)| *name).collect();
            let help = did_you_mean(&suggestions(&name.value, known.iter().copied()));
            let help = help.or_else(|| {
                if known.is_empty() {
                    None
                } else {
                    Some(format!("it has {}", known.join(", ")))
                }
            });
            let message = format!("`output_schema` has no `{}`", name.value);
            findings
                .error(MAPPING, source, name.span, message)
                .help(help);
        }
        let mut problems = Vec::new();
        let ty = type_of(scope, &given.value, &mut problems);
        report(source, given.span, problems, findings);
        let found = OutputSource {
            given: given.value.clone(),
            ty,
            span: Some(given.span),
        };
        explicit.insert(name.value.clone(), found);
    }
    explicit
}

fn declared_fields(
    skill: &Skill,
    scope: &BindScope<'_>,
    written: &WrittenOrder<'_>,
    skippable: &[bool],
    mut explicit: Explicit,
    findings: &mut Findings,
) -> Vec<(String, Given)> {
    let Some(declared) = &skill.output_schema else {
        return Vec::new();
    };
    let document = &declared.value;
    let mut fields = Vec::new();
    for (name, property) in Schema::new(document).properties() {
        let promised = DeclaredOutput {
            skill,
            scope,
            name,
            wanted: Ty::from_part(property.schema(), true),
            required: property.required,
            span: skill.origin.outputs.find(name).unwrap_or(declared.span),
        };
        let found = explicit.remove(name).or_else(|| {
            let first = candidates(scope, written, None, name).into_iter().next()?;
            Some(OutputSource {
                given: first.given,
                ty: first.ty,
                span: None,
            })
        });
        match found {
            Some(found) => {
                promised.check(&found, skippable, findings);
                fields.push((name.to_owned(), found.given));
            }
            None => promised.report_missing(&known_names(scope, written, None), findings),
        }
    }
    // The schema allows additional fields.
    fields.extend(explicit.into_iter().map(|(name, it)| (name, it.given)));
    fields
}

/// A field of `output_schema`.
struct DeclaredOutput<'a> {
    skill: &'a Skill,
    scope: &'a BindScope<'a>,
    name: &'a str,
    wanted: Ty,
    required: bool,
    span: Span,
}

impl DeclaredOutput<'_> {
    /// Checks that the source matches the declaration.
    fn check(&self, found: &OutputSource, skippable: &[bool], findings: &mut Findings) {
        let Self { name, scope, .. } = self;
        let steps = steps_of(scope, &found.given);
        let maybe = steps.iter().find(|step| skippable[**step]);
        let otherwise = format!("remove `{name}` from `required`, or give it a default");
        let given = match &found.given {
            Given::Expr(expr) => format!("`{}`", expression(expr)),
            _ => "its value".to_owned(),
        };
        if let (true, Some(step)) = (self.required, maybe) {
            let step = scope.step_name(*step);
            let message = format!(
                "the output `{name}` is required, but `{step}`, which gives it, may not run"
            );
            self.report(found, message, Some(otherwise), "may not run", findings);
        } else if self.required && !found.ty.always {
            let message = format!("the output `{name}` is required, but {given} may be missing");
            self.report(
                found,
                message,
                Some(otherwise),
                "gives it only sometimes",
                findings,
            );
        }
        let (Some(from), Some(to)) = (found.ty.schema(), self.wanted.schema()) else {
            return;
        };
        if assignable_projected(from, to).is_ok() {
            return;
        }
        let (words, wanted) = (found.ty.words(), self.wanted.words());
        for mismatch in mismatches(from, to.node().clone()) {
            let Mismatch { path, reason } = mismatch;
            let message = match (path.is_empty(), words == wanted) {
                (true, false) if reason.starts_with("gives ") => {
                    format!("the output `{name}` is declared as {wanted}, but {given} is {words}")
                }
                _ => {
                    let given = match &found.given {
                        Given::Expr(Expr::Path(it)) => within(&it.to_string(), &path),
                        _ => within(name, &path),
                    };
                    let at = within(name, &path);
                    format!("the output `{at}` does not fit `output_schema`: `{given}` {reason}")
                }
            };
            let path = within(name, &path);
            let place = self.skill.origin.outputs.find(&path);
            let found_at = DeclaredOutput {
                span: place.unwrap_or(self.span),
                wanted: self.wanted.clone(),
                ..*self
            };
            let label = format!("gives {words}");
            let meant = match &found.given {
                Given::Literal(Value::String(text)) => scope.with_dollar(text),
                _ => None,
            };
            let help = meant.map(|it| format!("expressions begin with `$`: did you mean `{it}`?"));
            found_at.report(found, message, help, &label, findings);
        }
    }

    /// Reports that no step produces a field of this name.
    fn report_missing(&self, known: &[String], findings: &mut Findings) {
        let name = self.name;
        let near = suggestions(name, known.iter().map(String::as_str));
        let step = super::names(self.scope.parts).next().unwrap_or("step");
        let help = match near.first() {
            Some(near) => format!(
                "did you mean `{near}`? Otherwise say where it comes from: `outputs: {{{name}: \
                 ${step}.output.…}}`"
            ),
            None => format!("say where it comes from: `outputs: {{{name}: ${step}.output.…}}`"),
        };
        let message = format!("no step gives the output `{name}`");
        let source = &self.skill.origin.source;
        if self.required {
            findings.error(OUTPUT, source, self.span, message)
        } else {
            findings.warning(OUTPUT, source, self.span, message)
        }
        .help(Some(help));
    }

    /// Reports a problem at the declaration, with labels at the steps that produce the field.
    fn report(
        &self,
        found: &OutputSource,
        message: String,
        help: Option<String>,
        gives: &str,
        findings: &mut Findings,
    ) {
        let source = &self.skill.origin.source;
        let told = findings.error(OUTPUT, source, self.span, message);
        told.help(help);
        if let Some(span) = found.span {
            told.label(span, "comes from here");
        }
        for step in steps_of(self.scope, &found.given) {
            let place = self.scope.parts[step].compose.skill.span;
            told.label(place, gives);
        }
    }
}

/// Builds the output from the fields of all steps. The last step that produces a name wins.
fn inferred(
    scope: &BindScope<'_>,
    written: &WrittenOrder<'_>,
    skippable: &[bool],
    explicit: Explicit,
) -> Outputs {
    let mut fields: BTreeMap<String, (Given, Ty)> = BTreeMap::new();
    let mut is_known = true;
    if explicit.is_empty() {
        for step in written.steps() {
            let part = &scope.parts[step];
            if part.contract.output.is_none() {
                is_known = false;
            }
            for offer in scope.offers(step) {
                let mut ty = offer.ty.clone();
                ty.always &= !skippable[step];
                let given = from_output(scope.step_name(step), &offer.field);
                fields.insert(offer.name.clone(), (given, ty));
            }
        }
    }
    for (name, OutputSource { given, mut ty, .. }) in explicit {
        ty.always &= steps_of(scope, &given).iter().all(|step| !skippable[*step]);
        fields.insert(name, (given, ty));
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut given = Vec::new();
    for (name, (source, ty)) in fields {
        if ty.always {
            required.push(Value::from(name.as_str()));
        }
        properties.insert(
            name.clone(),
            ty.into_subschema().unwrap_or(Value::Bool(true)),
        );
        given.push((name, source));
    }
    let schema = json!({"type": "object", "properties": properties, "required": required});
    Outputs {
        fields: given,
        schema: is_known.then_some(schema),
        spread: if is_known {
            Vec::new()
        } else {
            written.steps().collect()
        },
    }
}
