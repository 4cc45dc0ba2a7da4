//! What a skill gives: as it says, else what its steps give, by the names of the fields.

use std::collections::BTreeMap;

use capstan_schema::{Schema, assignable_projected};
use serde_json::{Map, Value, json};

use super::expression::{steps_of, type_of};
use super::inputs::{candidates, from_output, known_names};
use super::order::Written;
use super::scope::Scope;
use super::types::Ty;
use crate::Given;
use crate::codes::{MAPPING, OUTPUT};
use crate::findings::{Findings, More as _};
use crate::near::{did_you_mean, nearest};
use crate::skill::Skill;

pub(super) struct Outputs {
    pub(super) fields: Vec<(String, Given)>,
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
            schema: Some(declared.value.clone()),
        },
        None => inferred(scope, written, skippable, explicit),
    }
}

/// A field with what is known of it, and whether it is always there.
type Explicit = BTreeMap<String, (Given, Ty)>;

fn explicit(skill: &Skill, scope: &Scope<'_>, findings: &mut Findings) -> Explicit {
    let mut explicit = Explicit::new();
    let document = skill.output_schema.as_ref().map(|it| &it.value);
    for (name, given) in &skill.outputs {
        let source = &skill.origin.source;
        let is_known = document.is_none_or(|document| {
            let schema = Schema::new(document);
            schema.property(&name.value).is_some() || !schema.is_closed()
        });
        if !is_known {
            let message = format!("`output_schema` has no `{}`", name.value);
            findings.error(MAPPING, source, name.span, message);
        }
        match type_of(scope, &given.value) {
            Ok(ty) => {
                explicit.insert(name.value.clone(), (given.value.clone(), ty));
            }
            Err(wrong) => {
                findings
                    .error(wrong.code, source, given.span, wrong.message)
                    .help(wrong.help);
            }
        }
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
    let source = &skill.origin.source;
    let mut fields = Vec::new();
    for (name, property) in Schema::new(document).properties() {
        let wanted = Ty::part(document, property.schema().node(), true);
        let found = match explicit.remove(name) {
            Some(found) => Some(found),
            None => candidates(scope, written, None, name)
                .into_iter()
                .next()
                .map(|it| (it.given, it.ty)),
        };
        let Some((given, ty)) = found else {
            let known = known_names(scope, written, None);
            let near = nearest(name, known.iter().map(String::as_str));
            let help = did_you_mean(&near).or_else(|| {
                Some(format!(
                    "say where it comes from: `outputs: {{{name}: $step.output…}}`"
                ))
            });
            let message = format!("no step gives the output `{name}`");
            match property.required {
                true => findings.error(OUTPUT, source, declared.span, message),
                false => findings.warning(OUTPUT, source, declared.span, message),
            }
            .help(help);
            continue;
        };
        let steps = steps_of(scope, &given);
        let maybe = steps.iter().find(|step| skippable[**step]);
        let problem = match (property.required, maybe, ty.always) {
            (true, Some(step), _) => Some(format!("`{}` may not run", scope.step_name(*step))),
            (true, None, false) => Some("it may be missing".to_owned()),
            _ => match (ty.schema(), wanted.schema()) {
                (Some(from), Some(to)) => assignable_projected(from, to)
                    .err()
                    .map(|it| it.to_string()),
                _ => None,
            },
        };
        if let Some(problem) = problem {
            let message = format!(
                "the output `{name}` is {}, and what is given is {}",
                wanted.words(),
                ty.words()
            );
            findings
                .error(OUTPUT, source, declared.span, message)
                .help(Some(problem));
        }
        fields.push((name.to_owned(), given));
    }
    // Where the schema leaves room for more.
    fields.extend(explicit.into_iter().map(|(name, (given, _))| (name, given)));
    fields
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
    for (name, (given, mut ty)) in explicit {
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
        properties.insert(name.clone(), ty.into_schema().unwrap_or(Value::Bool(true)));
        given.push((name, source));
    }
    let schema = json!({"type": "object", "properties": properties, "required": required});
    Outputs {
        fields: given,
        schema: is_known.then_some(schema),
    }
}
