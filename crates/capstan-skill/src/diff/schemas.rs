//! What goes in and what comes out.

use capstan_schema::{Impact as SchemaImpact, Role, Schema, assignable_projected, changes};
use serde_json::Value;

use super::change::{Impact, Part};
use super::compare::Changes;
use super::opened::opened;
use super::seen::Seen;
use super::words::{message, whole};
use crate::Skill;

pub(super) fn compare(old: Seen<'_>, new: Seen<'_>, found: &mut Changes) {
    compare_role(Role::Input, old, new, found);
    compare_role(Role::Output, old, new, found);
    let unknown = |it: Seen<'_>| it.schema(Role::Output).is_none();
    if unknown(old) && unknown(new) {
        compare_named(old.skill, new.skill, found);
    }
}

fn compare_role(role: Role, old: Seen<'_>, new: Seen<'_>, found: &mut Changes) {
    let part = part_of(role);
    // What is not known lets everything pass.
    let anything = Value::Bool(true);
    match (old.schema(role), new.schema(role)) {
        (Some(was), Some(is)) => {
            let told = found.found.len();
            compare_schemas(role, was, is, found);
            let message = match (old.states(role), new.states(role)) {
                (false, true) => format!("{} is stated now, as it was", whole(role)),
                (true, false) => format!("{} is not stated any more, and is the same", whole(role)),
                _ => return,
            };
            if found.found.len() == told {
                found.add(part, "", Impact::Internal, message);
            }
        }
        (None, Some(is)) => {
            let impact = match fits(role, &anything, &as_demanded(role, is)) {
                true => Impact::Compatible,
                false => Impact::Breaking,
            };
            let message = match new.states(role) {
                true => format!("{} is stated now", whole(role)),
                false => format!("{} is known now from its parts", whole(role)),
            };
            found.add(part, "", impact, message);
        }
        (Some(was), None) => {
            let impact = match fits(role, was, &anything) {
                true => Impact::Compatible,
                false => Impact::Breaking,
            };
            let message = match old.states(role) {
                true => format!("{} is not stated any more", whole(role)),
                false => format!("{} is not known from its parts any more", whole(role)),
            };
            found.add(part, "", impact, message);
        }
        (None, None) => {}
    }
    note_unknown(role, old, new, found);
}

/// Whoever reads the result is to know what it does not cover.
fn note_unknown(role: Role, old: Seen<'_>, new: Seen<'_>, found: &mut Changes) {
    let is_unknown = |it: Seen<'_>| it.schema(role).is_none();
    let (who, s, whose) = match (is_unknown(old), is_unknown(new)) {
        (true, true) => ("both versions", "", "their"),
        (true, false) => ("the old version", "s", "its"),
        (false, true) => ("the new version", "s", "its"),
        (false, false) => return,
    };
    let (verb, field) = match role {
        Role::Input => ("take", "input_schema"),
        Role::Output => ("give", "output_schema"),
    };
    let note = format!(
        "what {who} {verb}{s} is not stated and cannot be told from {whose} parts, so it counts as anything: \
         state it with `{field}`"
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
    // Schemas that are made of others are not compared part by part in every case: what is called
    // compatible must be so as a whole too.
    if !is_broken && let Err(reason) = fit(role, old, new) {
        let message = format!("{} differs: {reason}", whole(role));
        found.add(part, "", Impact::Breaking, message);
    }
}

/// What a schema demands of callers: an input that has a default is filled in before it is validated, so
/// nobody has to give it.
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

/// Whether everybody can go on who did with the old schema.
fn fits(role: Role, old: &Value, new: &Value) -> bool {
    fit(role, old, new).is_ok()
}

fn fit(role: Role, old: &Value, new: &Value) -> Result<(), String> {
    let result = match role {
        Role::Input => assignable_projected(Schema::new(old), Schema::new(new)),
        // Those who read an output pass over what they do not know, whatever its schema said.
        Role::Output => assignable_projected(Schema::new(new), Schema::new(old))
            .or_else(|_| assignable_projected(Schema::new(new), Schema::new(&opened(old)))),
    };
    result.map_err(|mismatch| mismatch.to_string())
}

/// Where nothing is stated, an output has the fields that `outputs` names, if it names any.
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
                found.add(Part::Output, gone, Impact::Breaking, message);
            }
            for added in now.iter().filter(|name| !before.contains(name)) {
                let message = format!("New output field '{added}'");
                found.add(Part::Output, added, Impact::Compatible, message);
            }
        }
        (true, false) => {
            let message = format!("The output has no fields any more but {}", now.join(", "));
            found.add(Part::Output, "", Impact::Breaking, message);
        }
        (false, true) => {
            let message =
                "The output is what the steps give now: its fields are not named any more";
            found.add(Part::Output, "", Impact::Breaking, message);
        }
        (true, true) => {}
    }
}

fn part_of(role: Role) -> Part {
    match role {
        Role::Input => Part::Input,
        Role::Output => Part::Output,
    }
}
