//! Every keyword, and the reasons that people read.

use serde_json::json;

use crate::support::{no, no_projected, yes, yes_projected};

#[test]
fn types() {
    yes(json!({"type": "string"}), json!({"type": "string"}));
    yes(json!({"type": "integer"}), json!({"type": "number"}));
    yes(
        json!({"type": "string"}),
        json!({"type": ["string", "null"]}),
    );
    yes(json!({"type": "string"}), json!({}));
    yes(json!({"type": "string"}), json!(true));
    yes(json!(false), json!({"type": "string"}));
    yes(json!({"const": 1.0}), json!({"type": "integer"}));
    no(
        json!({"type": "integer"}),
        json!({"type": "string"}),
        "gives integer where string is needed",
    );
    no(
        json!({"type": "number"}),
        json!({"type": "integer"}),
        "gives number where integer is needed",
    );
    no(
        json!({"type": ["string", "null"]}),
        json!({"type": "string"}),
        "may be null",
    );
    no(
        json!({}),
        json!({"type": "string"}),
        "may be anything where string is needed",
    );
    no(
        json!({"type": ["string", "integer"]}),
        json!({"type": "string"}),
        "may be integer where string is needed",
    );
    no(json!({"type": "string"}), json!(false), "is not allowed");
}

#[test]
fn enums() {
    yes(
        json!({"enum": ["a", "b"]}),
        json!({"enum": ["b", "a", "c"]}),
    );
    yes(
        json!({"enum": ["a", "b"]}),
        json!({"type": "string", "maxLength": 1}),
    );
    yes(json!({"type": "boolean"}), json!({"enum": [true, false]}));
    yes(json!({"enum": [1, 2]}), json!({"enum": [1.0, 2.0]}));
    no(
        json!({"enum": ["open", "draft"]}),
        json!({"enum": ["open", "closed"]}),
        "gives \"draft\", which is not one of \"open\", \"closed\"",
    );
    no(
        json!({"type": "string"}),
        json!({"enum": ["open", "closed"]}),
        "gives string where \"open\" | \"closed\" is needed",
    );
}

#[test]
fn objects() {
    let from = json!({"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}, "required": ["id"]});
    yes(
        from.clone(),
        json!({"type": "object", "properties": {"id": {"type": "number"}}, "required": ["id"]}),
    );
    no(
        from.clone(),
        json!({"properties": {"id": {"type": "string"}}}),
        "id: gives integer where string is needed",
    );
    no(
        from.clone(),
        json!({"required": ["name"]}),
        "name: may be missing, but is required",
    );
    no(
        from.clone(),
        json!({"properties": {"mail": {"type": "string"}}}),
        "mail: is not described where string is needed",
    );
    yes_projected(
        from.clone(),
        json!({"properties": {"mail": {"type": "string"}}}),
    );
    no_projected(
        from.clone(),
        json!({"required": ["mail"]}),
        "mail: is not given, but is required",
    );
    let closed = json!({"properties": {"id": {}, "name": {}}, "additionalProperties": false});
    no(
        from.clone(),
        closed.clone(),
        "may have other properties, which are not allowed",
    );
    yes_projected(from.clone(), closed);
    no_projected(
        from,
        json!({"properties": {"id": {}}, "additionalProperties": false}),
        "name: may be given, but is not allowed",
    );
}

#[test]
fn arrays() {
    yes(
        json!({"type": "array", "items": {"type": "integer"}}),
        json!({"items": {"type": "number"}}),
    );
    no(
        json!({"type": "array", "items": {"properties": {"id": {"type": "integer"}}, "type": "object"}}),
        json!({"items": {"properties": {"id": {"type": "string"}}}}),
        "[].id: gives integer where string is needed",
    );
}

#[test]
fn references() {
    let tree = json!({
        "$ref": "#/$defs/tree",
        "$defs": {"tree": {
            "type": "object",
            "properties": {"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
            "required": ["value"],
        }},
    });
    let wider = json!({
        "type": "object",
        "properties": {"value": {"type": "number"}, "children": {"type": "array", "items": {"$ref": "#"}}},
    });
    yes(tree.clone(), wider.clone());
    no(wider, tree, "value: gives number where integer is needed");
    no(
        json!({}),
        json!({"$ref": "#"}),
        "is needed to pass \"#\", which refers to itself",
    );
}
