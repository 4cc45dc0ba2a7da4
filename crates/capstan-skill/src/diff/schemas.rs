//! What goes in and what comes out.

use capstan_schema::{Impact as SchemaImpact, Role, Schema, assignable_projected, changes};
use serde_json::Value;

use super::change::{Impact, Part};
use super::compare::Changes;
use super::opened::opened;
use super::words::{message, whole};
use crate::{Placed, Skill};

pub(super) fn compare(old: &Skill, new: &Skill, found: &mut Changes) {
    compare_role(Role::Input, &old.input_schema, &new.input_schema, found);
    compare_role(Role::Output, &old.output_schema, &new.output_schema, found);
    if old.output_schema.is_none() && new.output_schema.is_none() {
        compare_named(old, new, found);
    }
}

fn compare_role(
    role: Role,
    old: &Option<Placed<Value>>,
    new: &Option<Placed<Value>>,
    found: &mut Changes,
) {
    let part = part_of(role);
    // What is not stated lets everything pass.
    let anything = Value::Bool(true);
    match (old, new) {
        (Some(old), Some(new)) => compare_schemas(role, &old.value, &new.value, found),
        (None, Some(new)) => {
            let impact = match fits(role, &anything, &new.value) {
                true => Impact::Compatible,
                false => Impact::Breaking,
            };
            let stated = format!("{} is stated now", whole(role));
            found.add(part, "", impact, stated);
        }
        (Some(old), None) => {
            let impact = match fits(role, &old.value, &anything) {
                true => Impact::Compatible,
                false => Impact::Breaking,
            };
            let withdrawn = format!("{} is not stated any more", whole(role));
            found.add(part, "", impact, withdrawn);
        }
        (None, None) => {}
    }
}

fn compare_schemas(role: Role, old: &Value, new: &Value, found: &mut Changes) {
    if old == new {
        return;
    }
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
