//! Inputs: their names and types, and where each is sent.

use capstan_catalog::outline::Outline;
use serde_json::{Value, json};

use crate::support::{answer, build, description, outline, rules};

fn query(name: &str, schema: &Value) -> Value {
    json!({"name": name, "in": "query", "schema": schema})
}

fn body(schema: &Value) -> Value {
    json!({"requestBody": answer(schema)})
}

#[track_caller]
fn with_body(method: &str, path: &str, schema: &Value) -> Outline {
    outline(method, path, &body(schema)).1
}

/// Checks the notation of the type of a field in a body.
#[track_caller]
fn check_type(schema: &Value, notation: &Value) {
    let object = json!({"type": "object", "required": ["x"], "properties": {"x": schema}});
    let outline = with_body("post", "/things", &object);
    assert_eq!(json!(outline.input), json!({"x": notation}), "{schema}");
}

#[test]
fn path_query_and_body_come_in_this_order() {
    let mut operation = body(&json!({
        "type": "object",
        "required": ["title"],
        "properties": {"title": {"type": "string"}, "size": {"type": "integer"}},
    }));
    operation["parameters"] = json!([query("force", &json!({"type": "boolean"}))]);
    let (_, outline) = outline("put", "/things/{pull_number}/{a-b}", &operation);
    assert_eq!(outline.call, "PUT /things/{pr_number}/{a_b}");
    let expected = json!({
        "pr_number": "string", "a_b": "string", "force?": "boolean", "title": "string", "size?": "integer",
    });
    assert_eq!(json!(outline.input).to_string(), expected.to_string());
    assert_eq!(outline.query, ["force"]);
}

#[test]
fn values_in_paths_may_have_slashes() {
    let path = json!({"name": "path", "in": "path", "x-multi-segment": true, "schema": {"type": "string"}});
    let (_, outline) = outline("get", "/things/{path}", &json!({"parameters": [path]}));
    assert_eq!(outline.call, "GET /things/{+path}");
}

#[test]
fn types_are_written_in_words() {
    check_type(&json!({}), &json!("any"));
    check_type(
        &json!({"type": "string", "nullable": true}),
        &json!("string|null"),
    );
    check_type(
        &json!({"type": ["integer", "null"]}),
        &json!("integer|null"),
    );
    check_type(
        &json!({"type": "string", "enum": ["a", "b", null]}),
        &json!("a|b|null"),
    );
    check_type(
        &json!({"enum": ["string", "b"]}),
        &json!({"enum": ["string", "b"]}),
    );
    check_type(&json!({"enum": [1, 2]}), &json!({"enum": [1, 2]}));
    check_type(
        &json!({"type": "array", "items": {"type": "string"}}),
        &json!(["string"]),
    );
    check_type(
        &json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
        &json!("string|integer"),
    );
    check_type(&json!({"type": "object"}), &json!("object"));
    check_type(
        &json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        &json!({"*": "integer"}),
    );
    check_type(
        &json!({"type": "object", "nullable": true, "required": ["a"], "properties": {"a": {}, "b": {}}}),
        &json!({"one_of": [{"a": "any", "b?": "any"}, "null"]}),
    );
    check_type(
        &json!({"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
        &json!({"one_of": ["string", ["string"]]}),
    );
    check_type(
        &json!({"oneOf": [{"type": "string"}, {"type": "object", "properties": {"a": {}}}]}),
        &json!("string"),
    );
    check_type(
        &json!({"oneOf": [{"type": "boolean"}, {"enum": ["true", "false"]}]}),
        &json!("boolean"),
    );
    check_type(
        &json!({"type": "object", "properties": {"enum": {"type": "array", "items": {}}}}),
        &json!("object"),
    );
}

#[test]
fn parts_and_choices_of_objects_are_merged() {
    check_type(
        &json!({"allOf": [
            {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}},
            {"type": "object", "properties": {"b": {"type": "string"}}},
        ]}),
        &json!({"a": "string", "b?": "string"}),
    );
    check_type(
        &json!({"anyOf": [
            {"type": "object", "required": ["a", "c"], "properties": {"a": {}, "c": {"enum": ["x"]}}},
            {"type": "object", "required": ["b", "c"], "properties": {"b": {}, "c": {"enum": ["y"]}}},
        ]}),
        &json!({"a?": "any", "c": "x|y", "b?": "any"}),
    );
    check_type(
        &json!({
            "type": "object",
            "required": ["a"],
            "properties": {"a": {}, "b": {}, "c": {}},
            "oneOf": [{"required": ["b"]}, {"required": ["c"]}],
        }),
        &json!({"a": "any", "b?": "any", "c?": "any"}),
    );
}

#[test]
fn deep_types_lose_their_innermost_parts() {
    let mut schema = json!({"type": "string"});
    for level in 0..20 {
        let name = format!("level_{level}");
        schema = json!({"type": "object", "properties": {name: schema}});
    }
    let outline = with_body(
        "post",
        "/things",
        &json!({"type": "object", "properties": {"x": schema}}),
    );
    let text = json!(outline.input).to_string();
    assert!(text.contains("any") && text.len() < 200, "{text}");
}

#[test]
fn names_that_the_path_has_already_are_changed() {
    let schema = json!({"type": "object", "properties": {"name": {}, "a b": {}, "": {}}});
    let good = json!({"type": "object", "properties": {"name": {}, "a b": {}}});
    let outline = with_body("patch", "/things/{name}", &good);
    let names: Vec<_> = outline.input.keys().collect();
    assert_eq!(names, ["name", "new_name?", "a_b?"]);
    assert_eq!(
        json!(outline.send),
        json!({"name": "new_name", "a b": "a_b"})
    );
    let bad = description("patch", "/things/{name}", &body(&schema));
    let problems = build(&bad, &rules()).unwrap_err();
    assert_eq!(
        problems[0].to_string(),
        "/paths/~1things~1{name}/patch/requestBody: a field of the body has no name"
    );
}

#[test]
fn secrets_are_given_as_they_are() {
    let schema = json!({
        "type": "object",
        "required": ["encrypted_value", "key_id"],
        "properties": {"encrypted_value": {"type": "string"}, "key_id": {"type": "string"}},
    });
    let outline = with_body("put", "/things/{name}", &schema);
    assert_eq!(
        json!(outline.input),
        json!({"name": "string", "value": "string"})
    );
    assert_eq!(json!(outline.send), json!({"encrypted_value": "value"}));
    assert_eq!(outline.sealed.as_deref(), Some("value"));
}

#[test]
fn a_body_may_be_one_input() {
    let list = with_body(
        "put",
        "/things",
        &json!({"type": "array", "items": {"type": "string"}}),
    );
    assert_eq!(json!(list.input), json!({"body": ["string"]}));
    assert_eq!(list.body.as_deref(), Some("list body"));

    let mut named = body(&json!({"type": "string"}));
    named["x-github"] = json!({"requestBodyParameterName": "size"});
    let (_, value) = outline("put", "/things", &named);
    assert_eq!(json!(value.input), json!({"size": "string"}));
    assert_eq!(value.body.as_deref(), Some("value size"));

    let raw = json!({"requestBody": {"content": {"text/plain": {"schema": {"type": "string"}}}}});
    let (_, raw) = outline("post", "/things", &raw);
    assert_eq!(raw.body.as_deref(), Some("raw text"));

    let file = json!({
        "requestBody": {"content": {"application/octet-stream": {}}},
        "servers": [{"url": "https://uploads.example.org/x"}],
    });
    let (_, file) = outline("post", "/things", &file);
    assert_eq!(file.body.as_deref(), Some("raw content"));
    assert_eq!(
        json!(file.input),
        json!({"content": "file", "content_type?": "string"})
    );
    assert_eq!(file.host.as_deref(), Some("uploads.example.org"));
}

#[test]
fn a_delete_says_that_it_has_a_body() {
    let schema = json!({"type": "object", "properties": {"names": {"type": "array", "items": {}}}});
    let outline = with_body("delete", "/things", &schema);
    assert_eq!(outline.body.as_deref(), Some("fields"));
    assert_eq!(json!(outline.input), json!({"names?": ["any"]}));
}

#[test]
fn lists_in_queries_may_be_texts() {
    let choice =
        json!({"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]});
    let operation =
        json!({"parameters": [query("a", &choice), query("b", &json!({"type": "array"}))]});
    let (_, outline) = outline("get", "/things", &operation);
    assert_eq!(json!(outline.input), json!({"a?": "string", "b?": ["any"]}));
}

#[test]
fn what_is_required_stays_even_if_it_is_deprecated() {
    let object = json!({
        "type": "object",
        "required": ["old", "inside"],
        "properties": {
            "old": {"type": "string", "deprecated": true},
            "older": {"type": "string", "deprecated": true},
            "inside": {
                "type": "object",
                "required": ["contexts"],
                "properties": {
                    "contexts": {"type": "array", "items": {"type": "string"}, "deprecated": true},
                    "gone": {"type": "string", "deprecated": true},
                },
            },
        },
    });
    let outline = with_body("put", "/things", &object);
    let expected = json!({"old": "string", "inside": {"contexts": ["string"]}});
    assert_eq!(json!(outline.input), expected);
}
