//! Outlines whose answer is a file or a diff, of which callers read a part: the inputs that select it, and what is
//! answered.

use capstan_core::MAX_TAIL;
use serde_json::{Map, Value, json};

use super::expand::blank;
use super::raw::{Outline, RawAnswer};
use crate::raw::RawFileParts;

/// Returns whether the answer is a file or a diff.
pub(super) fn is_file(outline: &Outline) -> bool {
    matches!(
        outline.answer,
        Some(RawAnswer::Redirect | RawAnswer::File | RawAnswer::Log | RawAnswer::Diff)
    )
}

/// Returns the inputs that select a part.
pub(super) fn parts(outline: &Outline) -> RawFileParts {
    RawFileParts {
        entry: Some(blank(entry(outline).0)),
        lines: Some(blank("lines")),
        tail: Some(blank("tail")),
        find: Some(blank("find")),
    }
}

/// Adds the inputs that select a part.
pub(super) fn add_inputs(outline: &Outline, properties: &mut Value) {
    let (entry, about_entry) = entry(outline);
    properties[entry] = json!({"type": "string", "minLength": 1, "description": about_entry});
    properties["lines"] = json!({
        "type": "string",
        "pattern": "^[0-9]+(-[0-9]*)?$",
        "description": "a range such as 120-180",
    });
    properties["tail"] = json!({
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_TAIL,
        "description": "the last lines",
    });
    let about_find = "the lines with this text, and the lines around them";
    properties["find"] = json!({"type": "string", "minLength": 1, "description": about_find});
}

/// Returns the name of the input that selects a file of several, and what it is.
fn entry(outline: &Outline) -> (&'static str, &'static str) {
    match outline.answer {
        Some(RawAnswer::Diff) => ("path", "a file of the diff, or a pattern such as src/*"),
        _ => ("entry", "a file in the archive, or a pattern such as *.log"),
    }
}

/// Returns the fields of the answer.
pub(super) fn fields(outline: &Outline) -> Map<String, Value> {
    let mut fields = match outline.answer {
        Some(RawAnswer::Log) => json!({
            "entry": "string",
            "size": "integer",
            "lines": "integer",
            "failed": [{
                "job": "string",
                "step": "string",
                "exit_code": "integer",
                "lines": "string",
                "entry": "string",
            }],
        }),
        Some(RawAnswer::Diff) => json!({
            "changed_files": "integer",
            "additions": "integer",
            "deletions": "integer",
            "files": [{
                "path": "string",
                "status": "string",
                "additions": "integer",
                "deletions": "integer",
                "former_path": "string",
            }],
            "lines": "integer",
        }),
        _ => json!({
            "media_type": "string",
            "entry": "string",
            "size": "integer",
            "lines": "integer",
        }),
    };
    let is_diff = outline.answer == Some(RawAnswer::Diff);
    let entries = (!is_diff).then(|| ("entries", json!([{"name": "string", "size": "integer"}])));
    let others = [("shown", json!("string")), ("matches", json!("integer"))];
    let last = [("more", json!("string")), ("text", json!("string"))];
    for (name, kind) in others.into_iter().chain(entries).chain(last) {
        fields[name] = kind;
    }
    match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
