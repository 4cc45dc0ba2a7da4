//! Answers: which fields are kept, and answers that are neither objects nor lists.

use capstan_catalog::outline::{AnswerKind, Audience, Outline};
use serde_json::{Value, json};

use crate::support::{answer, build, description, outline, outline_by, rules_with};

fn text() -> Value {
    json!({"type": "string"})
}

#[track_caller]
fn answered(method: &str, path: &str, responses: &Value) -> Outline {
    outline(method, path, &json!({"responses": responses})).1
}

/// Checks which fields of an object are kept.
#[track_caller]
fn check_fields(properties: &Value, required: &[&str], expected: &Value) {
    let schema = json!({"type": "object", "required": required, "properties": properties});
    let outline = answered("get", "/things/{it}", &json!({"200": answer(&schema)}));
    assert_eq!(json!(outline.output), *expected);
}

#[test]
fn addresses_and_node_ids_are_left_out() {
    check_fields(
        &json!({"id": {"type": "integer"}, "node_id": text(), "url": text(), "html_url": text(), "x_url": text()}),
        &[],
        &json!({"id": "integer", "html_url": "string"}),
    );
    // They stay where nothing else tells which object it is.
    check_fields(
        &json!({"node_id": text(), "url": text(), "kind": text()}),
        &[],
        &json!({"node_id": "string", "url": "string", "kind": "string"}),
    );
}

#[test]
fn objects_inside_become_one_field_or_a_few() {
    let user =
        json!({"type": "object", "properties": {"login": text(), "id": {"type": "integer"}}});
    let other = json!({"type": "object", "properties": {"name": text(), "user": user, "deep": {"type": "object", "properties": {"a": text()}}}});
    check_fields(
        &json!({
            "user": user,
            "users": {"type": "array", "items": user},
            "maybe": {"nullable": true, "allOf": [user]},
            "other": other,
            "others": {"type": "array", "items": other},
        }),
        &[],
        &json!({
            "user": "string = user.login",
            "users": "[string] = users[].login",
            "maybe": "string = maybe.login",
            "other": {"name": "string", "user": "string = user.login"},
            "others": [{"name": "string", "user": "string = user.login"}],
        }),
    );
}

#[test]
fn of_many_fields_the_required_and_useful_ones_are_kept() {
    let mut properties = json!({});
    for number in 0..30 {
        properties[format!("field_{number}")] = text();
    }
    properties["body"] = text();
    properties["size"] = text();
    properties["_links"] = json!({"type": "object"});
    let schema = json!({"type": "object", "required": ["field_7", "size", "field_20"], "properties": properties});
    let outline = answered("get", "/things/{it}", &json!({"200": answer(&schema)}));
    let kept: Vec<_> = outline.output.unwrap().into_keys().collect();
    assert_eq!(
        kept,
        ["field_0", "field_1", "field_7", "field_20", "body", "size"]
    );
}

#[test]
fn fields_that_no_expression_can_read_are_left_out() {
    check_fields(
        &json!({"+1": text(), "not": text(), "a-b": text(), "": text(), "old": {"type": "string", "deprecated": true}, "a": text()}),
        &[],
        &json!({"a": "string"}),
    );
}

#[test]
fn types_of_answers_are_simple() {
    check_fields(
        &json!({
            "a": {"type": "string", "enum": ["x", "y"]},
            "b": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            "c": {"type": "string", "nullable": true},
            "d": {"type": "array", "items": {"type": "number"}},
            "e": {"type": "object"},
            "f": {},
        }),
        &[],
        &json!({"a": "string", "b": "integer|string", "c": "string", "d": ["number"], "e": "object", "f": "any"}),
    );
}

#[test]
fn special_answers_have_a_mark() {
    let cases = [
        ("get", json!({"204": {}, "404": {}}), AnswerKind::YesOrNo),
        ("get", json!({"302": {}}), AnswerKind::Redirect),
        ("put", json!({"204": {}}), AnswerKind::Nothing),
        (
            "post",
            json!({"201": answer(&json!({"type": "object"}))}),
            AnswerKind::Nothing,
        ),
        (
            "get",
            json!({"200": {"content": {"text/plain": {}}}}),
            AnswerKind::Text,
        ),
        (
            "get",
            json!({"200": answer(&json!({"type": "object", "additionalProperties": text()}))}),
            AnswerKind::Any,
        ),
        (
            "get",
            json!({"200": answer(&json!({"type": "array", "items": {"type": "array"}}))}),
            AnswerKind::Any,
        ),
        (
            "get",
            json!({"200": answer(&json!({"type": "object", "properties": {"a_url": text()}}))}),
            AnswerKind::Any,
        ),
    ];
    for (method, responses, expected) in cases {
        let outline = answered(method, "/things", &responses);
        assert_eq!(outline.answer, Some(expected), "{responses}");
        assert!(outline.output.is_none() && outline.rows.is_none() && outline.at.is_none());
    }
}

#[test]
fn what_comes_later_has_a_mark() {
    let read = answered("get", "/things", &json!({"200": {}, "202": {}}));
    assert!(read.computed && !read.accepted);
    let write = answered("post", "/things", &json!({"202": {}}));
    assert!(write.accepted && !write.computed);
}

#[test]
fn people_can_say_more_about_an_operation() {
    let rules = rules_with(
        "reads: [{ because: x, operations: { things/do-it: true } }]\n\
         accept: [{ because: x, operations: { things/do-it: { accept: a/b+json, described: a/b } } }]",
    );
    let schema = json!({"type": "object", "properties": {"id": text()}});
    let responses =
        json!({"200": {"content": {"application/json": {}, "a/b": {"schema": schema}}}, "202": {}});
    let (_, outline) = outline_by(&rules, "post", "/things", &json!({"responses": responses}));
    assert!(outline.reads && outline.computed && !outline.accepted);
    assert_eq!(outline.accept.as_deref(), Some("a/b+json"));
    assert_eq!(json!(outline.output), json!({"id": "string"}));
}

#[test]
fn an_operation_may_have_other_media_types() {
    let rules = rules_with(
        "variants: [{ because: x, operations: { things/do-it: { thing.diff.view: \
         { description: Show the changes., accept: a/diff, answer: diff } } } }]\n\
         next: [{ because: x, operations: { things/do-it: { thing.done: { id: id } } } }]",
    );
    let schema = json!({"type": "object", "properties": {"id": text()}});
    let operation = json!({"responses": {"200": answer(&schema)}});
    let outlines = build(&description("get", "/things/{thing}", &operation), &rules).unwrap();
    assert_eq!(outlines.len(), 2);
    let variant = &outlines["thing.diff.view"];
    assert_eq!(variant.accept.as_deref(), Some("a/diff"));
    assert_eq!(variant.answer, Some(AnswerKind::Diff));
    assert!(
        variant.output.is_none() && variant.next.is_empty(),
        "{variant:?}"
    );
    let usual = outlines.values().find(|it| it.answer.is_none()).unwrap();
    assert_eq!(
        json!([usual.output, usual.next]),
        json!([{"id": "string"}, {"thing.done": {"id": "id"}}])
    );
    assert_eq!(
        (&usual.call, &usual.source, &usual.input),
        (&variant.call, &variant.source, &variant.input)
    );
}

#[test]
fn who_can_use_it_and_until_when() {
    let owners = json!({"description": "Lists things. Only an organization owner can."});
    let cases = [
        ("/orgs/{org}", owners.clone(), Some(Audience::Organization)),
        ("/orgs/{org}", json!({}), None),
        ("/enterprises/{it}", json!({}), Some(Audience::Enterprise)),
        ("/orgsx", owners, None),
    ];
    for (path, operation, expected) in cases {
        assert_eq!(
            outline("get", path, &operation).1.audience,
            expected,
            "{path}"
        );
    }
    let mut old = json!({"deprecated": true});
    assert_eq!(
        outline("get", "/things", &old).1.deprecated,
        Some(json!(true))
    );
    old["x-github"] = json!({"removalDate": "2027-01-31"});
    assert_eq!(
        outline("get", "/things", &old).1.deprecated,
        Some(json!("2027-01-31"))
    );
}
