//! Tests of the changes between two versions and their impact.

use capstan_schema::{Role, Schema, changes};
use serde_json::{Value, json};

/// Returns all changes as lines: impact, kind, path and message.
fn lines(old: &Value, new: &Value, role: Role) -> Vec<String> {
    let found = changes(Schema::new(old), Schema::new(new), role);
    let line = |it: &capstan_schema::Change| format!("{:?} {:?} {it}", it.impact, it.kind);
    found.iter().map(line).collect()
}

#[track_caller]
fn check(old: &Value, new: &Value, input: &[&str], output: &[&str]) {
    assert_eq!(lines(old, new, Role::Input), input, "as input");
    assert_eq!(lines(old, new, Role::Output), output, "as output");
}

#[test]
fn nothing_changed() {
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#"}}});
    check(&schema, &schema.clone(), &[], &[]);
}

#[test]
fn properties_come_and_go() {
    check(
        &json!({"type": "object", "properties": {"a": {"type": "string"}}}),
        &json!({"type": "object", "properties": {"b": {"type": "string"}, "c": {"type": "integer"}}, "required": ["b"]}),
        &[
            "Breaking Removed a: is no longer known (was string)",
            "Breaking AddedRequired b: is new and required (string)",
            "Compatible AddedOptional c: is new (integer)",
        ],
        &[
            "Breaking Removed a: is no longer given (was string)",
            "Compatible AddedRequired b: is new and required (string)",
            "Compatible AddedOptional c: is new (integer)",
        ],
    );
}

#[test]
fn properties_become_required_and_optional() {
    let old =
        json!({"properties": {"user": {"properties": {"id": {}, "name": {}}, "required": ["id"]}}});
    let new = json!({"properties": {"user": {"properties": {"id": {}, "name": {}}, "required": ["name"]}}});
    check(
        &old,
        &new,
        &[
            "Compatible BecameOptional user.id: was required, is optional",
            "Breaking BecameRequired user.name: was optional, is required",
        ],
        &[
            "Breaking BecameOptional user.id: was required, is optional",
            "Compatible BecameRequired user.name: was optional, is required",
        ],
    );
}

#[test]
fn types_narrow_and_widen() {
    let of = |it: Value| json!({"type": "object", "properties": {"items": {"type": "array", "items": it}}});
    check(
        &of(json!({"type": "integer"})),
        &of(json!({"type": "number"})),
        &["Compatible Widened items[]: was integer, is number"],
        &["Breaking Widened items[]: was integer, is number"],
    );
    check(
        &of(json!({"type": ["string", "null"]})),
        &of(json!({"type": "string"})),
        &["Breaking Narrowed items[]: was string | null, is string"],
        &["Compatible Narrowed items[]: was string | null, is string"],
    );
    check(
        &of(json!({"type": "integer"})),
        &of(json!({"type": "string"})),
        &["Breaking Changed items[]: was integer, is string"],
        &["Breaking Changed items[]: was integer, is string"],
    );
    check(
        &of(json!({"type": "string"})),
        &of(json!({"type": "string", "maxLength": 9})),
        &["Breaking Narrowed items[]: differs: may be longer than 9"],
        &["Compatible Narrowed items[]: differs: may be longer than 9"],
    );
}

#[test]
fn objects_close() {
    check(
        &json!({"type": "object", "properties": {"a": {}, "b": {}}}),
        &json!({"type": "object", "properties": {"a": {}}, "additionalProperties": false}),
        &[
            "Breaking Removed b: is no longer allowed (was anything)",
            "Breaking Narrowed no longer has other properties",
        ],
        &[
            "Breaking Removed b: is no longer given (was anything)",
            "Compatible Narrowed no longer has other properties",
        ],
    );
}

#[test]
fn remarks_change() {
    check(
        &json!({"properties": {"a": {"type": "string", "default": "x"}}}),
        &json!({"properties": {"a": {"type": "string", "default": "y"}}}),
        &["Compatible Described a: default was \"x\", is \"y\""],
        &["Compatible Described a: default was \"x\", is \"y\""],
    );
}

#[test]
fn alternatives_and_references_are_looked_through() {
    check(
        &json!({"anyOf": [{"$ref": "#/$defs/user"}, {"type": "null"}], "$defs": {"user": {"type": "object", "properties": {"id": {"type": "integer"}}}}}),
        &json!({"anyOf": [{"$ref": "#/$defs/user"}, {"type": "null"}], "$defs": {"user": {"type": "object", "properties": {"id": {"type": "string"}}}}}),
        &["Breaking Changed id: was integer, is string"],
        &["Breaking Changed id: was integer, is string"],
    );
}
