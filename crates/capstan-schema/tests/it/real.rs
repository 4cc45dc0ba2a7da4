//! Tests with realistic schemas of tools, combined in realistic ways.

use serde_json::{Value, json};

use crate::support::{no_projected, yes, yes_projected};

fn pull_request() -> Value {
    json!({
        "type": "object",
        "required": ["number", "title", "state", "author", "labels"],
        "properties": {
            "number": {"type": "integer", "minimum": 1, "description": "Number of the pull request"},
            "title": {"type": "string", "minLength": 1},
            "body": {"type": ["string", "null"]},
            "state": {"enum": ["open", "closed", "merged"]},
            "author": {"type": "object", "required": ["login"], "properties": {"login": {"type": "string"}, "name": {"type": ["string", "null"]}}},
            "labels": {"type": "array", "items": {"type": "string"}},
        },
    })
}

#[test]
fn what_one_tool_gives_another_takes() {
    let take = json!({
        "type": "object",
        "required": ["number", "title"],
        "additionalProperties": false,
        "properties": {
            "number": {"type": "number", "exclusiveMinimum": 0},
            "title": {"type": "string"},
            "body": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null},
            "state": {"type": "string"},
            "author": {"$ref": "#/$defs/user"},
            "labels": {"type": "array", "items": {"type": ["string", "object"]}},
            "draft": {"type": "boolean"},
        },
        "$defs": {"user": {"type": "object", "properties": {"login": {"type": "string"}, "name": {}}, "additionalProperties": false}},
    });
    yes_projected(pull_request(), take);
}

#[test]
fn what_does_not_fit_is_said_with_its_place() {
    let needs = |name: &str, part: Value| json!({"properties": {name: part}});
    let cases = [
        (
            needs("number", json!({"type": "string"})),
            "number: gives integer where string is needed",
        ),
        (
            needs("body", json!({"type": "string"})),
            "body: may be null",
        ),
        (
            needs("state", json!({"enum": ["open", "closed"]})),
            "state: gives \"merged\", which is not one of \"open\", \"closed\"",
        ),
        (
            needs("author", json!({"required": ["name"]})),
            "author.name: may be missing, but is required",
        ),
        (
            needs("author", json!({"required": ["id"]})),
            "author.id: is not given, but is required",
        ),
        (
            needs("labels", json!({"items": {"minLength": 1}})),
            "labels[]: may be empty",
        ),
        (
            json!({"required": ["body"]}),
            "body: may be missing, but is required",
        ),
    ];
    for (needed, reason) in cases {
        no_projected(pull_request(), needed, reason);
    }
}

#[test]
fn recursive_answers() {
    let comment = |of: &str| {
        json!({
            "$ref": "#/$defs/comment",
            "$defs": {"comment": {
                "type": "object",
                "properties": {"id": {"type": of}, "replies": {"type": "array", "items": {"$ref": "#/$defs/comment"}}, "parent": {"anyOf": [{"$ref": "#/$defs/comment"}, {"type": "null"}]}},
                "required": ["id"],
            }},
        })
    };
    yes(comment("integer"), comment("number"));
    yes_projected(comment("integer"), comment("number"));
    no_projected(
        comment("number"),
        comment("integer"),
        "id: gives number where integer is needed",
    );
}
