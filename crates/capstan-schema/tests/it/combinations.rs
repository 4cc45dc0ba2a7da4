//! `allOf`, `anyOf`, `oneOf`, `not`, `if`, and references.

use serde_json::json;

use crate::support::{no, yes};

#[test]
fn alternatives() {
    let string_or_null = json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
    yes(string_or_null.clone(), json!({"type": ["string", "null"]}));
    yes(json!({"type": ["string", "null"]}), string_or_null.clone());
    no(
        string_or_null.clone(),
        json!({"type": "string"}),
        "may be null",
    );
    no(
        json!({"type": "integer"}),
        string_or_null,
        "gives integer where string | null is needed",
    );
    yes(
        json!({"enum": ["a", 1, null]}),
        json!({"anyOf": [{"type": "string"}, {"enum": [1, null]}]}),
    );
    yes(
        json!({"type": "number"}),
        json!({"anyOf": [{"type": "integer"}, {"type": "number"}]}),
    );
    no(
        json!({"type": "object", "properties": {"a": {"type": "integer"}}}),
        json!({"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "null"}]}),
        "a: gives integer where string is needed",
    );
}

#[test]
fn discriminated_alternatives() {
    let shapes = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "integer"}}, "required": ["kind", "radius"]},
        {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "integer"}}, "required": ["kind", "side"]},
    ]});
    let wider = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind"]},
        {"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind"]},
        {"type": "object", "properties": {"kind": {"const": "other"}}, "required": ["kind"]},
    ]});
    yes(shapes.clone(), wider.clone());
    no(wider, shapes, "side: gives number where integer is needed");
}

#[test]
fn exactly_one() {
    yes(
        json!({"type": "integer"}),
        json!({"oneOf": [{"type": "integer"}, {"type": "string"}]}),
    );
    no(
        json!({"type": "integer"}),
        json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
        "may pass several alternatives of `oneOf`",
    );
    yes(
        json!({"type": "integer", "minimum": 5}),
        json!({"oneOf": [{"minimum": 3}, {"maximum": 4, "type": "integer"}]}),
    );
}

#[test]
fn all_and_not() {
    let both = json!({"allOf": [{"type": "string"}, {"minLength": 1}]});
    yes(both.clone(), json!({"type": "string", "minLength": 1}));
    yes(json!({"type": "string", "minLength": 2}), both);
    yes(json!({"type": "string"}), json!({"not": {"type": "null"}}));
    yes(
        json!({"not": {"type": "null"}}),
        json!({"not": {"const": null}}),
    );
    no(
        json!({"type": ["string", "null"]}),
        json!({"not": {"type": "null"}}),
        "may be null, which `not` forbids",
    );
    yes(
        json!({"enum": [1, 2], "not": {"const": 2}}),
        json!({"const": 1}),
    );
}

#[test]
fn conditions() {
    let needed = json!({
        "if": {"properties": {"kind": {"const": "user"}}, "required": ["kind"]},
        "then": {"required": ["login"]},
        "else": {"required": ["id"]},
    });
    let object = |kind: &str, name: &str| json!({"type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind", name]});
    yes(object("user", "login"), needed.clone());
    no(
        object("user", "id"),
        needed.clone(),
        "login: may be missing, but is required",
    );
    yes(object("team", "id"), needed.clone());
    no(
        object("team", "login"),
        needed,
        "id: may be missing, but is required",
    );
}

#[test]
fn anchors_and_ids() {
    let anchored = json!({"properties": {"a": {"$ref": "#text"}}, "$defs": {"t": {"$anchor": "text", "type": "string"}}});
    let pointed = json!({"properties": {"a": {"$ref": "#/$defs/a~1b%25"}}, "$defs": {"a/b%": {"type": "string"}}});
    yes(anchored.clone(), pointed.clone());
    yes(pointed, anchored);
    let embedded = json!({
        "$ref": "#/$defs/other",
        "$defs": {
            "other": {"$id": "https://example.com/other", "$ref": "#/$defs/inner", "$defs": {"inner": {"type": "string"}}},
            "inner": {"type": "integer"},
        },
    });
    yes(embedded, json!({"type": "string"}));
    yes(
        json!({"$id": "https://example.com/a", "$ref": "https://example.com/a#/$defs/b", "$defs": {"b": {"type": "null"}}}),
        json!({"const": null}),
    );
}

#[test]
fn closed_by_unevaluated_properties() {
    let from = json!({"type": "object", "allOf": [{"properties": {"a": {"type": "string"}}}], "unevaluatedProperties": false});
    yes(
        from.clone(),
        json!({"properties": {"a": {"type": "string"}}, "additionalProperties": false}),
    );
    yes(
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}),
        from.clone(),
    );
    no(
        json!({"type": "object", "properties": {"b": {}}, "additionalProperties": false}),
        from,
        "b: may be given, but is not allowed",
    );
}
