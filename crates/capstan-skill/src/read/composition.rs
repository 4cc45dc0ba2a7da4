//! Reads `composes` and `requires`.

use std::collections::HashMap;

use capstan_catalog::yaml::{Node, Tree};

use super::fields::{Fields, Notes, Owner, text};
use super::given;
use crate::codes::{DUPLICATE, MALFORMED};
use crate::skill::{Compose, Requirement};
use crate::{Placed, Range, SkillId};

/// Reads an entry of `composes`: the name of a skill, or a map.
pub(super) fn compose(node: &Node, notes: &mut Notes) -> Option<Compose> {
    if let Tree::Text(name) = &node.tree {
        return Some(Compose {
            skill: Placed {
                value: name.clone(),
                span: node.span,
            },
            name: None,
            version: None,
            input_mapping: Vec::new(),
            output_mapping: Vec::new(),
            inputs: Vec::new(),
        });
    }
    let mut fields = Fields::from_map(Owner::Compose, node, notes)?;
    let skill = fields.text("skill", notes);
    let compose = Compose {
        name: step_name(&mut fields, notes),
        version: range(&mut fields, notes),
        input_mapping: fields.mapping("input_mapping", notes),
        output_mapping: fields.mapping("output_mapping", notes),
        inputs: given::all(fields.map("inputs", notes), notes),
        skill: match skill {
            Some(skill) => skill,
            None => {
                nameless(node, fields, notes);
                return None;
            }
        },
    };
    fields.report_unknown(notes);
    Some(compose)
}

/// Reads the name of a step, which expressions use.
fn step_name(fields: &mut Fields<'_>, notes: &mut Notes) -> Option<Placed<String>> {
    let written = fields.text("as", notes)?;
    if written.value == "input" {
        let message = "a step cannot be called `input`: `$input` is the input of the skill";
        notes.error(MALFORMED, written.span, message);
    } else if SkillId::parse(&written.value).is_err() {
        let message = format!(
            "`{}` cannot be the name of a step: expected the letters a to z, digits, `-`, `_`, `.` and `:`, \
             beginning with a letter",
            written.value
        );
        notes.error(MALFORMED, written.span, message);
    }
    Some(written)
}

/// Reports an entry without `skill`. Other fields of the entry show best what was intended.
fn nameless(node: &Node, mut fields: Fields<'_>, notes: &mut Notes) {
    let is_there = fields.take("skill").is_some();
    let message = "this entry names no skill: expected `skill: name`";
    match &node.tree {
        // Someone wrote `- issue.view: {as: look}`.
        Tree::Map(entries) if !is_there && entries.len() == 1 && fields.has_unknown() => {
            notes.error(MALFORMED, node.span, message);
            notes.help(format!(
                "write `skill: {}`, and the rest beside it",
                entries[0].key
            ));
        }
        _ => {
            if !is_there && !fields.has_unknown() {
                notes.error(MALFORMED, node.span, message);
            }
            fields.report_unknown(notes);
        }
    }
}

/// Reports steps with the same name.
pub(super) fn distinct(composes: &[Compose], notes: &mut Notes) {
    let mut seen: HashMap<&str, &Compose> = HashMap::new();
    for one in composes {
        let name = one.step_name();
        let place = |it: &Compose| it.name.as_ref().unwrap_or(&it.skill).span;
        let first = *seen.entry(name).or_insert(one);
        if !std::ptr::eq(first, one) {
            let message = format!("there is another step `{name}` in this skill");
            notes.error(DUPLICATE, place(one), message);
            notes.label(place(first), "the first one");
            notes.help(format!(
                "give one of them a name: `{{skill: {}, as: …}}`",
                one.skill.value
            ));
        }
    }
}

pub(super) fn requirement(node: &Node, notes: &mut Notes) -> Option<Requirement> {
    let mut fields = Fields::from_map(Owner::Requirement, node, notes)?;
    let skill = fields.text("skill", notes);
    let version = range(&mut fields, notes);
    for (name, missing) in [("skill", skill.is_none()), ("version", version.is_none())] {
        if missing && !given_at_all(node, name) {
            let message =
                format!("this requirement has no `{name}`: expected `skill` and `version`");
            notes.error(MALFORMED, node.span, message);
        }
    }
    fields.report_unknown(notes);
    Some(Requirement {
        skill: skill?,
        version: version?,
    })
}

fn given_at_all(node: &Node, name: &str) -> bool {
    match &node.tree {
        Tree::Map(entries) => entries.iter().any(|entry| entry.key == name),
        _ => false,
    }
}

fn range(fields: &mut Fields<'_>, notes: &mut Notes) -> Option<Placed<Range>> {
    let node = fields.take("version")?;
    let written = text("version", node, notes)?;
    match Range::parse(&written.value) {
        Ok(value) => Some(Placed {
            value,
            span: written.span,
        }),
        Err(message) => {
            notes.error(MALFORMED, written.span, message);
            None
        }
    }
}
