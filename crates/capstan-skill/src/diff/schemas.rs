//! Compares the input and output schemas.

use capstan_schema::{Impact as SchemaImpact, Role, Schema, assignable_projected, changes};
use serde_json::Value;

use super::change::{ChangedPart, Impact};
use super::compare::Changes;
use super::opened::opened;
use super::seen::ComparedSkill;
use super::words::{message, whole};
use crate::Skill;

pub(super) fn compare(old: ComparedSkill<'_>, new: ComparedSkill<'_>, found: &mut Changes) {
    compare_role(Role::Input, old, new, found);
    compare_role(Role::Output, old, new, found);
    let unknown = |it: ComparedSkill<'_>| it.schema(Role::Output).is_none();
    if unknown(old) && unknown(new) {
        compare_named(old.skill, new.skill, found);
    }
}

fn compare_role(role: Role, old: ComparedSkill<'_>, new: ComparedSkill<'_>, found: &mut Changes) {
    let part = part_of(role);
    // An unknown schema allows everything.
    let anything = Value::Bool(true);
    match (old.schema(role), new.schema(role)) {
        (Some(was), Some(is)) => {
            let told = found.found.len();
            compare_schemas(role, was, is, found);
            let message = match (old.states(role), new.states(role)) {
                (false, true) => format!("{} is now declared, unchanged", whole(role)),
                (true, false) => format!("{} is no longer declared, but unchanged", whole(role)),
                _ => return,
            };
            if found.found.len() == told {
                found.add(part, "", Impact::Internal, message);
            }
        }
        (None, Some(is)) => {
            let impact = if fits(role, &anything, &as_demanded(role, is)) {
                Impact::Compatible
            } else {
                Impact::Breaking
            };
            let message = if new.states(role) {
                format!("{} is now declared", whole(role))
            } else {
                format!("{} is now known from its parts", whole(role))
            };
            found.add(part, "", impact, message);
        }
        (Some(was), None) => {
            let impact = if fits(role, was, &anything) {
                Impact::Compatible
            } else {
                Impact::Breaking
            };
            let message = if old.states(role) {
                format!("{} is no longer declared", whole(role))
            } else {
                format!("{} is no longer known from its parts", whole(role))
            };
            found.add(part, "", impact, message);
        }
        (None, None) => {}
    }
    note_unknown(role, old, new, found);
}

/// Notes which schemas are unknown, so that readers know what the comparison does not cover.
fn note_unknown(role: Role, old: ComparedSkill<'_>, new: ComparedSkill<'_>, found: &mut Changes) {
    let is_unknown = |it: ComparedSkill<'_>| it.schema(role).is_none();
    let (versions, their) = match (is_unknown(old), is_unknown(new)) {
        (true, true) => ("both versions", "their"),
        (true, false) => ("the old version", "its"),
        (false, true) => ("the new version", "its"),
        (false, false) => return,
    };
    let (side, field) = match role {
        Role::Input => ("input", "input_schema"),
        Role::Output => ("output", "output_schema"),
    };
    let note = format!(
        "the {side} of {versions} is not declared and cannot be derived from {their} parts, so it counts as \
         anything: declare it with `{field}`"
    );
    found.notes.push(note);
}

fn compare_schemas(role: Role, old: &Value, new: &Value, found: &mut Changes) {
    if old == new {
        return;
    }
    let (old, new) = (&as_demanded(role, old), &as_demanded(role, new));
    let part = part_of(role);
    let mut is_broken = false;
    for change in changes(Schema::new(old), Schema::new(new), role) {
        let impact = match (change.impact, change.kind) {
            (_, capstan_schema::ChangeKind::Described) => Impact::Internal,
            (SchemaImpact::Compatible, _) => Impact::Compatible,
            (SchemaImpact::Breaking, _) => Impact::Breaking,
        };
        is_broken |= impact == Impact::Breaking;
        found.add(part, &change.path, impact, message(role, &change));
    }
    // Combined schemas are not always compared part by part. A compatible change must also be compatible as a
    // whole.
    if !is_broken && let Err(reason) = fit(role, old, new) {
        let message = format!("{} differs: {reason}", whole(role));
        found.add(part, "", Impact::Breaking, message);
    }
}

/// Returns the schema as it applies to callers: an input with a default is filled in before validation, so it
/// is not required.
fn as_demanded(role: Role, schema: &Value) -> Value {
    let mut schema = schema.clone();
    if role == Role::Output {
        return schema;
    }
    let properties = schema.get("properties").and_then(Value::as_object).cloned();
    let has_default = |name: &Value| {
        let property = name
            .as_str()
            .and_then(|name| properties.as_ref()?.get(name));
        property.is_some_and(|it| it.get("default").is_some())
    };
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| !has_default(name));
    }
    schema
}

/// Whether users of the old schema can use the new one unchanged.
fn fits(role: Role, old: &Value, new: &Value) -> bool {
    fit(role, old, new).is_ok()
}

fn fit(role: Role, old: &Value, new: &Value) -> Result<(), String> {
    let result = match role {
        Role::Input => assignable_projected(Schema::new(old), Schema::new(new)),
        // Readers of an output ignore fields that they do not know, even if the old schema forbade them.
        Role::Output => assignable_projected(Schema::new(new), Schema::new(old))
            .or_else(|_| assignable_projected(Schema::new(new), Schema::new(&opened(old)))),
    };
    result.map_err(|mismatch| mismatch.to_string())
}

/// Compares the fields that `outputs` names, if no output schema is known.
fn compare_named(old: &Skill, new: &Skill, found: &mut Changes) {
    let names = |skill: &Skill| -> Vec<String> {
        let names = skill.outputs.iter().map(|(name, _)| name.value.clone());
        names.collect()
    };
    let (before, now) = (names(old), names(new));
    match (before.is_empty(), now.is_empty()) {
        (false, false) => {
            for gone in before.iter().filter(|name| !now.contains(name)) {
                let message = format!("Output field '{gone}' was removed");
                found.add(ChangedPart::Output, gone, Impact::Breaking, message);
            }
            for added in now.iter().filter(|name| !before.contains(name)) {
                let message = format!("New output field '{added}'");
                found.add(ChangedPart::Output, added, Impact::Compatible, message);
            }
        }
        (true, false) => {
            let message = format!("The output no longer has fields but is {}", now.join(", "));
            found.add(ChangedPart::Output, "", Impact::Breaking, message);
        }
        (false, true) => {
            let message =
                "The output is now the output of the steps: its fields are no longer named";
            found.add(ChangedPart::Output, "", Impact::Breaking, message);
        }
        (true, true) => {}
    }
}

fn part_of(role: Role) -> ChangedPart {
    match role {
        Role::Input => ChangedPart::Input,
        Role::Output => ChangedPart::Output,
    }
}
