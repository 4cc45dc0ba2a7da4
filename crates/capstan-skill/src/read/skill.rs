//! Reads one document of a file as a skill.

use std::sync::Arc;

use capstan_catalog::yaml::{Node, Tree};
use capstan_core::date::parse_day;
use capstan_core::{Severity, Source};
use serde_json::Value;

use super::composition::{compose, distinct, requirement};
use super::fields::{Fields, Notes, Owner, text};
use super::{blocks, given, keywords};
use crate::codes::{INCONSISTENT, MALFORMED};
use crate::skill::{ChangelogEntry, Deprecation, Origin, Runs, Skill};
use crate::{Level, OperationClass, Placed, Places, SkillId, Version};

/// Reads the skill; `None` if too much of it is wrong.
pub(super) fn skill(source: &Arc<Source>, node: &Node, notes: &mut Notes) -> Option<Skill> {
    let before = notes.diagnostics.len();
    let mut fields = Fields::from_map(Owner::Skill, node, notes)?;
    if fields.take("id").is_none() && fields.take("level").is_none() {
        let message = "this is neither a skill nor a card";
        notes.error(MALFORMED, node.span, message);
        notes.help("a skill has an `id` and a `level`, a card has a `capability_id`");
        return None;
    }
    let id = id(&mut fields, node, notes);
    let version = version(&mut fields, notes);
    let level = level(&mut fields, node, notes);
    let description = fields.text("description", notes);
    let runs = runs(&mut fields, notes);
    let composes = fields.list("composes", notes).unwrap_or_default();
    let composes: Vec<_> = composes
        .iter()
        .filter_map(|it| compose(it, notes))
        .collect();
    distinct(&composes, notes);
    let requires = fields.list("requires", notes).unwrap_or_default();
    let requires = requires
        .iter()
        .filter_map(|it| requirement(it, notes))
        .collect();
    let execution = fields.list("execution", notes).unwrap_or_default();
    let execution = blocks::blocks(execution, notes);
    let (input_schema, inputs) = schema(&mut fields, "input_schema", notes).unzip();
    let (output_schema, outputs_at) = schema(&mut fields, "output_schema", notes).unzip();
    let outputs = given::all(fields.map("outputs", notes), notes);
    let effects = fields.entry("effects").map(|entry| entry.value.span);
    let named = fields.texts("effects", notes);
    let operation = operation(&mut fields, notes);
    let retry = fields.take("retry");
    let retry = retry.and_then(|node| blocks::retry(node, notes));
    let timeout = blocks::timeout(&mut fields, notes);
    let cached = cache(&mut fields, notes);
    let deprecated = fields.entry("deprecated");
    let deprecated = deprecated.and_then(|entry| deprecation(&entry.value, notes));
    let changelog = changelog(&mut fields, notes);
    let intents = fields.texts("intents", notes);
    fields.report_unknown(notes);
    let (id, level) = (id?, level?);
    Some(Skill {
        origin: Origin {
            source: Arc::clone(source),
            id: id.span,
            level: level.span,
            document: node.span,
            is_whole: notes.diagnostics[before..]
                .iter()
                .all(|it| it.severity != Severity::Error),
            errors: Vec::new(),
            is_from_folder: false,
            inputs: inputs.unwrap_or_default(),
            outputs: outputs_at.unwrap_or_default(),
        },
        id: id.value,
        version,
        level: level.value,
        description: description.map(|it| it.value).unwrap_or_default(),
        runs,
        composes,
        execution,
        requires,
        input_schema,
        output_schema,
        outputs,
        effects: effects.map(|span| Placed {
            value: named.into_iter().map(|it| it.value).collect(),
            span,
        }),
        operation,
        retry,
        timeout,
        cached,
        deprecated,
        changelog,
        intents: intents.into_iter().map(|it| it.value).collect(),
    })
}

/// Returns the id of a document that could not be read as a skill, if it has a valid one.
pub(super) fn id_of(node: &Node) -> Option<SkillId> {
    let Tree::Map(entries) = &node.tree else {
        return None;
    };
    let id = entries.iter().find(|entry| entry.key == "id")?;
    SkillId::parse(id.value.as_text()?).ok()
}

fn id(fields: &mut Fields<'_>, whole: &Node, notes: &mut Notes) -> Option<Placed<SkillId>> {
    let Some(node) = fields.take("id") else {
        notes.error(MALFORMED, whole.span, "this skill has no `id`");
        return None;
    };
    let written = match &node.tree {
        // The help must not suggest quotes: a quoted number is not a valid id either.
        Tree::Number(number) => number.to_string(),
        _ => text("id", node, notes)?.value,
    };
    match SkillId::parse(&written) {
        Ok(value) => Some(Placed {
            value,
            span: node.span,
        }),
        Err(error) => {
            notes.error(MALFORMED, node.span, error.to_string());
            None
        }
    }
}

fn version(fields: &mut Fields<'_>, notes: &mut Notes) -> Version {
    let Some(node) = fields.take("version") else {
        return Version::first();
    };
    let written = match &node.tree {
        // `1.2` is a number in YAML. The help must not suggest quotes: `"1.2"` is not a version either.
        Tree::Number(number) => Some(number.to_string()),
        _ => text("version", node, notes).map(|it| it.value),
    };
    match written.map(|it| Version::parse(&it)) {
        Some(Ok(version)) => version,
        Some(Err(message)) => {
            notes.error(MALFORMED, node.span, message);
            Version::first()
        }
        None => Version::first(),
    }
}

/// Reads `2` or `L2`.
fn level(fields: &mut Fields<'_>, whole: &Node, notes: &mut Notes) -> Option<Placed<Level>> {
    let Some(node) = fields.take("level") else {
        notes.error(
            MALFORMED,
            whole.span,
            "this skill has no `level`: expected 1, 2 or 3",
        );
        return None;
    };
    let written = match &node.tree {
        Tree::Number(number) => number.to_string(),
        Tree::Text(text) => text.trim_start_matches(['L', 'l']).to_owned(),
        _ => String::new(),
    };
    let level = match written.as_str() {
        "1" => Level::L1,
        "2" => Level::L2,
        "3" => Level::L3,
        _ => {
            notes.expected("level", "1, 2 or 3", node);
            return None;
        }
    };
    Some(Placed {
        value: level,
        span: node.span,
    })
}

/// The name of a field, and the constructor for its value.
type Binding = (&'static str, fn(String) -> Runs);

fn runs(fields: &mut Fields<'_>, notes: &mut Notes) -> Option<Placed<Runs>> {
    let kinds: [Binding; 4] = [
        ("card", Runs::Card),
        ("tool", Runs::Tool),
        ("capability", Runs::Capability),
        ("code", Runs::Code),
    ];
    let mut found: Option<Placed<Runs>> = None;
    for (key, make) in kinds {
        let Some(written) = fields.text(key, notes) else {
            continue;
        };
        match &found {
            Some(first) => {
                let message = format!(
                    "there is already a `{}`: a skill runs one thing",
                    first.value.key()
                );
                notes.error(INCONSISTENT, written.span, message);
                notes.label(first.span, "the first one");
            }
            None => {
                found = Some(Placed {
                    value: make(written.value),
                    span: written.span,
                });
            }
        }
    }
    found
}

/// Reads a schema, with the places of its parts.
fn schema(
    fields: &mut Fields<'_>,
    name: &'static str,
    notes: &mut Notes,
) -> Option<(Placed<Value>, Places)> {
    let node = fields.take(name)?;
    if !keywords::check(name, node, notes) {
        return None;
    }
    let placed = Placed {
        value: node.to_json(),
        span: node.span,
    };
    Some((placed, Places::from_schema(node)))
}

fn operation(fields: &mut Fields<'_>, notes: &mut Notes) -> Option<Placed<OperationClass>> {
    let written = fields.word("operation", "TRANSFORM, READ or WRITE", notes)?;
    let wanted = written.value.to_ascii_uppercase();
    let found = OperationClass::ALL
        .into_iter()
        .find(|it| it.as_str() == wanted);
    if found.is_none() {
        let message = format!(
            "`operation` is `{}`: expected TRANSFORM, READ or WRITE",
            written.value
        );
        notes.error(MALFORMED, written.span, message);
    }
    found.map(|value| Placed {
        value,
        span: written.span,
    })
}

fn cache(fields: &mut Fields<'_>, notes: &mut Notes) -> bool {
    match fields.word("cache", "run", notes) {
        Some(written) if written.value == "run" => true,
        Some(written) => {
            let message = format!("`cache` is `{}`: expected run", written.value);
            notes.error(MALFORMED, written.span, message);
            false
        }
        None => false,
    }
}

fn deprecation(node: &Node, notes: &mut Notes) -> Option<Deprecation> {
    let mut fields = Fields::from_map(Owner::Deprecation, node, notes)?;
    let since = fields.text("since", notes);
    let sunset = fields.text("sunset", notes);
    let sunset = sunset.filter(|day| {
        let is_day = parse_day(&day.value).is_some();
        if !is_day {
            let message = format!(
                "`sunset` is `{}`: expected a day, such as 2027-01-31",
                day.value
            );
            notes.error(MALFORMED, day.span, message);
        }
        is_day
    });
    let replacement = fields.text("use", notes);
    fields.report_unknown(notes);
    Some(Deprecation {
        since: since.map(|it| it.value).unwrap_or_default(),
        sunset,
        replacement: replacement.map(|it| it.value),
        span: node.span,
    })
}

/// Reads a map from version to text, or a list of such maps.
fn changelog(fields: &mut Fields<'_>, notes: &mut Notes) -> Vec<ChangelogEntry> {
    let Some(node) = fields.take("changelog") else {
        return Vec::new();
    };
    let maps: Vec<&Node> = match &node.tree {
        Tree::List(items) => items.iter().collect(),
        _ => vec![node],
    };
    let mut changes = Vec::new();
    for map in maps {
        let Tree::Map(entries) = &map.tree else {
            notes.expected("changelog", "a map from version to text", map);
            continue;
        };
        for entry in entries {
            if let Some(told) = text("changelog", &entry.value, notes) {
                changes.push(ChangelogEntry {
                    version: entry.key.clone(),
                    text: told.value,
                });
            }
        }
    }
    changes
}
