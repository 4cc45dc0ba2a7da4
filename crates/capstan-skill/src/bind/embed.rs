//! Parts of schemas as schemas of their own, and schemas as parts of larger ones. What they refer to stays
//! where it can be found.

use capstan_schema::Schema;
use serde_json::{Map, Value};

use crate::plan::fingerprint;

/// What our own ids of schemas begin with.
const OURS: &str = "urn:capstan:schema:";

/// Where the document stands that a part refers to.
const DOCUMENT: &str = "document";

/// A part as a document of its own; nothing where it refers to what it cannot take along.
pub(super) fn alone(part: Schema<'_>) -> Option<Value> {
    let mut node = part.node().clone();
    let references = references(&node);
    if references.is_empty() || node.get("$id").is_some() {
        // What has an id takes everything along that it refers to.
        let is_whole = references.is_empty() || refers_to_itself(&node);
        return is_whole.then_some(node);
    }
    let document = part.document();
    if !refers_to_itself(document) || node.get("$defs").is_some() {
        return None;
    }
    let is_definition = |reference: &String| reference.starts_with("#/$defs/");
    let definitions = document.get("$defs");
    let all = self::references(definitions.unwrap_or(&Value::Null));
    let definitions = match definitions {
        Some(definitions) if references.iter().chain(&all).all(is_definition) => {
            definitions.clone()
        }
        // It refers to what is around it, which comes along as a whole.
        _ => {
            let mut document = document.clone();
            let fields = document.as_object_mut()?;
            fields.shift_remove("$id");
            fields.shift_remove("$schema");
            move_references(&mut node);
            move_references(&mut document);
            Value::Object(Map::from_iter([(DOCUMENT.to_owned(), document)]))
        }
    };
    let fields = node.as_object_mut()?;
    fields.insert("$defs".to_owned(), definitions);
    Some(node)
}

/// A document as a part of another. An id of its own keeps its references within it, whatever else is called
/// like what they lead to.
pub(super) fn within_another(mut document: Value) -> Option<Value> {
    if references(&document).is_empty() {
        return Some(document);
    }
    if !refers_to_itself(&document) {
        return None;
    }
    let fields = document.as_object_mut()?;
    fields.shift_remove("$schema");
    // Two documents may have the same id; the same content has the same meaning.
    fields.shift_remove("$id");
    let id = format!("{OURS}{}", fingerprint(&fields));
    fields.insert("$id".to_owned(), id.into());
    Some(document)
}

/// Whether everything that a document refers to is found in it, by its path.
fn refers_to_itself(document: &Value) -> bool {
    let is_path = |reference: &String| reference == "#" || reference.starts_with("#/");
    let has_foreign_parts = std::cell::Cell::new(false);
    visit(document, &mut |keyword, value| match (keyword, value) {
        ("$dynamicRef" | "$recursiveRef" | "$anchor" | "$dynamicAnchor", _) => {
            has_foreign_parts.set(true);
        }
        ("$id", Value::String(id)) if !id.starts_with(OURS) => {
            // Its own may be left out, because nothing refers to it.
            let is_its_own = document
                .get("$id")
                .is_some_and(|own| std::ptr::eq(own, value));
            has_foreign_parts.set(has_foreign_parts.get() || !is_its_own);
        }
        _ => {}
    });
    !has_foreign_parts.get() && references(document).iter().all(is_path)
}

/// Everything that a schema refers to.
fn references(schema: &Value) -> Vec<String> {
    let mut all = Vec::new();
    visit(schema, &mut |keyword, value| {
        if let ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(target)) = (keyword, value)
        {
            all.push(target.clone());
        }
    });
    all
}

/// Keywords whose values are data, where nothing is a schema.
const DATA: [&str; 4] = ["enum", "const", "default", "examples"];

/// Keywords whose values are schemas by names that anybody may choose.
const NAMED: [&str; 5] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
];

/// Every keyword of a schema and of the schemas in it, except those with ids of our own: they refer to
/// themselves and are moved as they are.
fn visit<'a>(schema: &'a Value, seen: &mut dyn FnMut(&'a str, &'a Value)) {
    let mut below = |value: &'a Value| {
        if !has_our_id(value) {
            visit(value, seen);
        }
    };
    match schema {
        Value::Array(items) => items.iter().for_each(below),
        Value::Object(fields) => {
            for (keyword, value) in fields {
                match (keyword.as_str(), value) {
                    (data, _) if DATA.contains(&data) => {}
                    (named, Value::Object(schemas)) if NAMED.contains(&named) => {
                        schemas.values().for_each(&mut below);
                    }
                    _ => below(value),
                }
            }
            for (keyword, value) in fields {
                seen(keyword, value);
            }
        }
        _ => {}
    }
}

fn has_our_id(schema: &Value) -> bool {
    let id = schema.get("$id").and_then(Value::as_str);
    id.is_some_and(|id| id.starts_with(OURS))
}

/// References to a document lead to where it stands now.
fn move_references(schema: &mut Value) {
    if has_our_id(schema) {
        return;
    }
    match schema {
        Value::Array(items) => items.iter_mut().for_each(move_references),
        Value::Object(fields) => {
            for (keyword, value) in fields {
                match (keyword.as_str(), value) {
                    ("$ref", Value::String(target)) => {
                        let path = target.strip_prefix('#').unwrap_or_default();
                        *target = format!("#/$defs/{DOCUMENT}{path}");
                    }
                    (data, _) if DATA.contains(&data) => {}
                    (named, Value::Object(schemas)) if NAMED.contains(&named) => {
                        schemas.values_mut().for_each(move_references);
                    }
                    (_, value) => move_references(value),
                }
            }
        }
        _ => {}
    }
}
