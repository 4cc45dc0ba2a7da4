//! Tests of lookups in schemas, and of descriptions.

use capstan_schema::{Schema, Type, describe, project};
use serde_json::{Value, json};

#[track_caller]
fn words(schema: Value, expected: &str) {
    assert_eq!(describe(Schema::new(&schema)), expected);
}

#[test]
fn schemas_in_words() {
    words(json!({"type": "integer"}), "integer");
    words(json!({"type": ["string", "null"]}), "string | null");
    words(json!({"enum": ["open", "closed"]}), "\"open\" | \"closed\"");
    words(
        json!({"type": "array", "items": {"type": "string"}}),
        "string[]",
    );
    words(
        json!({"type": "array", "items": {"type": ["string", "null"]}}),
        "(string | null)[]",
    );
    words(
        json!({"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}, "required": ["id"]}),
        "{id: string, name?: string}",
    );
    words(
        json!({"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}], "$defs": {"a": {"type": "integer"}}}),
        "integer | null",
    );
    words(json!(true), "anything");
    words(
        json!({"type": "object", "additionalProperties": {"type": "number"}}),
        "{*: number}",
    );
    let long = json!({"enum": (0..100).collect::<Vec<_>>()});
    assert!(describe(Schema::new(&long)).chars().count() <= 61);
}

#[test]
fn properties_are_found_everywhere() {
    let document = json!({
        "allOf": [{"$ref": "#/$defs/base"}, {"properties": {"name": {"maxLength": 9}}, "required": ["name"]}],
        "$defs": {"base": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}},
    });
    let schema = Schema::new(&document);
    let named: Vec<_> = schema
        .properties()
        .into_iter()
        .map(|(name, it)| (name, it.required))
        .collect();
    assert_eq!(named, [("id", false), ("name", true)]);
    let name = schema.property("name").unwrap();
    assert_eq!(describe(name.schema()), "string & anything");
    assert_eq!(schema.required(), ["name"]);
    assert!(schema.property("other").is_none());
    assert!(schema.types().contains(Type::Object));
    assert!(!schema.types().contains(Type::Null));
}

#[test]
fn alternatives_have_what_each_of_them_has() {
    let document = json!({"anyOf": [
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a", "b"]},
        {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        {"type": "null"},
    ]});
    let schema = Schema::new(&document);
    let a = schema.property("a").unwrap();
    assert!(a.required);
    assert_eq!(describe(a.schema()), "string | integer");
    assert!(schema.property("b").is_none());
    assert!(schema.types().contains(Type::Null));
}

#[test]
fn elements() {
    let document =
        json!({"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}});
    let items = Schema::new(&document).items().unwrap();
    assert_eq!(describe(items.schema()), "string | integer");
    assert!(Schema::new(&json!({"type": "array"})).items().is_none());
}

#[test]
fn closed_objects() {
    let closed = |it: Value| Schema::new(&it).is_closed();
    assert!(closed(json!({"additionalProperties": false})));
    assert!(closed(json!({"allOf": [{"unevaluatedProperties": false}]})));
    assert!(!closed(json!({"properties": {"a": false}})));
}

#[test]
fn values_are_reduced_to_what_is_named() {
    let document = json!({"type": "object", "properties": {
        "user": {"anyOf": [{"type": "null"}, {"properties": {"id": {}}}]},
        "tags": {"items": {"properties": {"name": {}}}},
        "counts": {"additionalProperties": {"type": "integer"}},
        "free": {"type": "object"},
    }, "required": ["extra"]});
    let value = json!({
        "user": {"id": 1, "secret": 2}, "tags": [{"name": "a", "more": 1}, 5], "counts": {"a": 1},
        "free": {"b": {"c": 1}}, "extra": 1, "other": 2,
    });
    let reduced = json!({
        "user": {"id": 1}, "tags": [{"name": "a"}, 5], "counts": {"a": 1}, "free": {"b": {"c": 1}}, "extra": 1,
    });
    assert_eq!(project(&value, Schema::new(&document)), reduced);
}
