//! Turns parts of schemas into documents of their own, and documents into parts of larger schemas. References
//! stay valid.

use capstan_schema::Schema;
use serde_json::{Map, Value};

use crate::plan::fingerprint;

/// The prefix of schema ids that Capstan generates.
const OURS: &str = "urn:capstan:schema:";

/// The key below `$defs` under which a part keeps the document that it refers to.
const DOCUMENT: &str = "document";

/// Returns a part of a schema as a document of its own; `None` if it refers to something that cannot be
/// copied along.
pub(super) fn as_document(part: Schema<'_>) -> Option<Value> {
    let mut node = part.node().clone();
    let references = references(&node);
    if references.is_empty() || node.get("$id").is_some() {
        // A part with its own id contains everything that it refers to.
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
        // It refers to its surroundings, so the whole document is copied along.
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

/// Prepares a document to be part of another. A generated id keeps its references inside it, even if the
/// other document uses the same names.
pub(super) fn as_subschema(mut document: Value) -> Option<Value> {
    if references(&document).is_empty() {
        return Some(document);
    }
    if !refers_to_itself(&document) {
        return None;
    }
    let fields = document.as_object_mut()?;
    fields.shift_remove("$schema");
    // Two documents may have the same id. A fingerprint gives the same id to the same content only.
    fields.shift_remove("$id");
    let id = format!("{OURS}{}", fingerprint(&fields));
    fields.insert("$id".to_owned(), id.into());
    Some(document)
}

/// Whether a document contains everything that it refers to, and refers to it by path.
fn refers_to_itself(document: &Value) -> bool {
    let is_path = |reference: &String| reference == "#" || reference.starts_with("#/");
    let has_foreign_parts = std::cell::Cell::new(false);
    visit(document, &mut |keyword, value| match (keyword, value) {
        ("$dynamicRef" | "$recursiveRef" | "$anchor" | "$dynamicAnchor", _) => {
            has_foreign_parts.set(true);
        }
        ("$id", Value::String(id)) if !id.starts_with(OURS) => {
            // The document's own id may be removed, because nothing refers to it.
            let is_its_own = document
                .get("$id")
                .is_some_and(|own| std::ptr::eq(own, value));
            has_foreign_parts.set(has_foreign_parts.get() || !is_its_own);
        }
        _ => {}
    });
    !has_foreign_parts.get() && references(document).iter().all(is_path)
}

/// Returns the targets of all references in a schema.
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

/// Keywords whose values are data and contain no schemas.
const DATA: [&str; 4] = ["enum", "const", "default", "examples"];

/// Keywords whose values map freely chosen names to schemas.
const NAMED: [&str; 5] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
];

/// Visits every keyword of a schema and of the schemas in it. Schemas with generated ids are skipped: they
/// refer only to themselves and are moved unchanged.
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

/// Redirects references to where the document now is.
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
