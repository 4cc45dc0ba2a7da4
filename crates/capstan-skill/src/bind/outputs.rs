//! What a skill gives: as it says, else what its steps give, by the names of the fields.

use std::collections::BTreeMap;

use capstan_core::Span;
use capstan_core::expr::Expr;
use capstan_core::similar::suggestions;
use capstan_schema::{Mismatch, Schema, assignable_projected};
use serde_json::{Map, Value, json};

use super::expression::{steps_of, tell, type_of};
use super::fit::mismatches;
use super::inputs::{candidates, from_output, known_names};
use super::order::Written;
use super::scope::Scope;
use super::types::Ty;
use crate::Given;
use crate::codes::{MAPPING, OUTPUT};
use crate::findings::{Findings, More as _};
use crate::near::did_you_mean;
use crate::places::within;
use crate::render::expression;
use crate::skill::Skill;

pub(super) struct Outputs {
    pub(super) fields: Vec<(String, Given)>,
    /// All steps in their order, where only the results of some will tell what they give.
    pub(super) spread: Vec<usize>,
    /// What can be promised; nothing where too little is known.
    pub(super) schema: Option<Value>,
}

pub(super) fn bind(
    skill: &Skill,
    scope: &Scope<'_>,
    written: &Written<'_>,
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

/// By the name of a field: what is known of it.
type Explicit = BTreeMap<String, Source>;

/// Where a field comes from.
struct Source {
    given: Given,
    ty: Ty,
    /// Where `outputs` says so.
    span: Option<Span>,
}

fn explicit(skill: &Skill, scope: &Scope<'_>, findings: &mut Findings) -> Explicit {
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
            let help = help.or_else(|| match known.is_empty() {
                true => None,
                false => Some(format!("it has {}", known.join(", "))),
            });
            let message = format!("`output_schema` has no `{}`", name.value);
            findings
                .error(MAPPING, source, name.span, message)
                .help(help);
        }
        let mut wrong = Vec::new();
        let ty = type_of(scope, &given.value, &mut wrong);
        tell(source, given.span, wrong, findings);
        let found = Source {
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
    scope: &Scope<'_>,
    written: &Written<'_>,
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
        let promised = Promised {
            skill,
            scope,
            name,
            wanted: Ty::part(property.schema(), true),
            required: property.required,
            span: skill.origin.outputs.find(name).unwrap_or(declared.span),
        };
        let found = explicit.remove(name).or_else(|| {
            let first = candidates(scope, written, None, name).into_iter().next()?;
            Some(Source {
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
            None => promised.tell_missing(&known_names(scope, written, None), findings),
        }
    }
    // Where the schema leaves room for more.
    fields.extend(explicit.into_iter().map(|(name, it)| (name, it.given)));
    fields
}

/// A field of `output_schema`.
struct Promised<'a> {
    skill: &'a Skill,
    scope: &'a Scope<'a>,
    name: &'a str,
    wanted: Ty,
    required: bool,
    span: Span,
}

impl Promised<'_> {
    /// Whether what is given is what is promised.
    fn check(&self, found: &Source, skippable: &[bool], findings: &mut Findings) {
        let Self { name, scope, .. } = self;
        let steps = steps_of(scope, &found.given);
        let maybe = steps.iter().find(|step| skippable[**step]);
        let otherwise = format!("take `{name}` out of `required`, or say what it is otherwise");
        let given = match &found.given {
            Given::Expr(expr) => format!("`{}`", expression(expr)),
            _ => "what is given".to_owned(),
        };
        if let (true, Some(step)) = (self.required, maybe) {
            let step = scope.step_name(*step);
            let message = format!(
                "the output `{name}` is promised always, but `{step}`, which gives it, may not run"
            );
            self.tell(found, message, Some(otherwise), "may not run", findings);
        } else if self.required && !found.ty.always {
            let message =
                format!("the output `{name}` is promised always, but {given} may be missing");
            self.tell(
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
                    format!("the output `{name}` is promised as {wanted}, but {given} is {words}")
                }
                _ => {
                    let given = match &found.given {
                        Given::Expr(Expr::Path(it)) => within(&it.to_string(), &path),
                        _ => within(name, &path),
                    };
                    let at = within(name, &path);
                    format!("the output `{at}` is not what is promised: `{given}` {reason}")
                }
            };
            let path = within(name, &path);
            let place = self.skill.origin.outputs.find(&path);
            let found_at = Promised {
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
            found_at.tell(found, message, help, &label, findings);
        }
    }

    /// Nothing has its name.
    fn tell_missing(&self, known: &[String], findings: &mut Findings) {
        let name = self.name;
        let near = suggestions(name, known.iter().map(String::as_str));
        let step = super::names(self.scope.parts).next().unwrap_or("step");
        let help = match near.first() {
            Some(near) => format!(
                "did you mean `{near}`? Else say where it comes from: `outputs: {{{name}: ${step}.output.…}}`"
            ),
            None => format!("say where it comes from: `outputs: {{{name}: ${step}.output.…}}`"),
        };
        let message = format!("no step gives the output `{name}`");
        let source = &self.skill.origin.source;
        match self.required {
            true => findings.error(OUTPUT, source, self.span, message),
            false => findings.warning(OUTPUT, source, self.span, message),
        }
        .help(Some(help));
    }

    /// At what is promised, with who gives it.
    fn tell(
        &self,
        found: &Source,
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

/// Everything that the steps give, the last by each name.
fn inferred(
    scope: &Scope<'_>,
    written: &Written<'_>,
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
    for (name, Source { given, mut ty, .. }) in explicit {
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
        properties.insert(name.clone(), ty.into_part().unwrap_or(Value::Bool(true)));
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
