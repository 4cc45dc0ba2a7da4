//! Broken and hostile descriptions: a clear problem at a place, and never a panic.

use capstan_generator::{Document, Rules};
use serde_json::{Value, json};

use crate::support::{answer, build, description, rules};

#[track_caller]
fn check(description: &Value, expected: &str) {
    let problems = build(description, &rules()).unwrap_err();
    assert_eq!(problems[0].to_string(), expected);
}

/// Checks the problem of an operation `GET /things`.
#[track_caller]
fn check_operation(operation: &Value, expected: &str) {
    check(
        &description("get", "/things", operation),
        &format!("/paths/~1things/get{expected}"),
    );
}

#[test]
fn problems_have_a_place() {
    check(&json!({}), "/paths: expected an object of paths");
    check(
        &json!({"paths": {"/a~b": 1}}),
        "/paths/~1a~0b: expected an object of operations",
    );
    check(
        &json!({"paths": {"/a": {"get": {}}}}),
        "/paths/~1a/get: expected an `operationId`",
    );
    check(
        &json!({"paths": {"a": {"get": {"operationId": "a"}}}}),
        "/paths/a/get: the path must start with `/`",
    );
    check_operation(
        &json!({"parameters": [{"in": "query"}]}),
        "/parameters/0: expected the name of the parameter",
    );
    check_operation(
        &json!({"parameters": [{"name": "x", "in": "cookie"}]}),
        "/parameters/0: `in` must be `path` or `query`",
    );
    check_operation(
        &json!({"parameters": [{"name": "a b", "in": "query"}]}),
        "/parameters/0: `a b` cannot be the name of an input",
    );
    check_operation(
        &json!({"responses": {"200": {"$ref": "#/nowhere"}}}),
        "/responses/200: the reference \"#/nowhere\" leads nowhere",
    );
    check_operation(
        &json!({"responses": {"200": answer(&json!({"type": "object", "properties": {"x": {"type": "strong"}}}))}}),
        "/responses/200/content/application~1json/schema/properties/x: `strong` is not a type",
    );
    check_operation(
        &json!({"responses": {"200": answer(&json!({"type": 7}))}}),
        "/responses/200/content/application~1json/schema: `type` must be the name of a type",
    );
    check_operation(
        &json!({"responses": {"200": answer(&json!([]))}}),
        "/responses/200/content/application~1json/schema: expected a schema",
    );
}

#[test]
fn paths_with_bad_blanks_are_refused() {
    for path in [
        "/things/{a",
        "/things/a}",
        "/things/{a}/{a}",
        "/things/{a}}",
        "/things/{}",
    ] {
        let problems = build(&description("get", path, &json!({})), &rules()).unwrap_err();
        assert_eq!(problems.len(), 1, "{path}");
    }
}

#[test]
fn all_problems_are_reported() {
    let paths = json!({"/a": {"get": {}, "put": {}}, "/b": {"get": {}}});
    assert_eq!(
        build(&json!({"paths": paths}), &rules()).unwrap_err().len(),
        3
    );
}

#[test]
fn references_in_circles_are_refused() {
    let mut circle = description(
        "get",
        "/things",
        &json!({"responses": {"200": answer(&json!({"$ref": "#/a"}))}}),
    );
    circle["a"] = json!({"$ref": "#/b"});
    circle["b"] = json!({"$ref": "#/a"});
    check(
        &circle,
        "/paths/~1things/get/responses/200/content/application~1json/schema: the reference leads to itself",
    );
}

#[test]
fn a_schema_may_contain_itself() {
    let mut tree = description(
        "get",
        "/things",
        &json!({"responses": {"200": answer(&json!({"$ref": "#/tree"}))}}),
    );
    tree["tree"] = json!({"type": "object", "properties": {"id": {"type": "string"}, "child": {"$ref": "#/tree"}}});
    let outlines = build(&tree, &rules()).unwrap();
    let outline = outlines.values().next().unwrap();
    assert_eq!(
        json!(outline.output),
        json!({"id": "string", "child": {"id": "string"}})
    );
}

#[test]
fn a_schema_that_grows_without_end_is_refused() {
    let mut huge = description(
        "get",
        "/things",
        &json!({"responses": {"200": answer(&json!({"$ref": "#/huge"}))}}),
    );
    // Few enough fields that the test ends even without a limit.
    let fields = (0..5).map(|number| (format!("f{number}"), json!({"$ref": "#/huge"})));
    huge["huge"] =
        json!({"type": "object", "properties": fields.collect::<serde_json::Map<_, _>>()});
    let problems = build(&huge, &rules()).unwrap_err();
    assert!(problems[0].message.contains("too large"), "{}", problems[0]);
}

#[test]
fn what_is_no_json_is_refused() {
    for text in ["", "{", "nothing", &"[".repeat(100_000)] {
        let problem = Document::parse(text).unwrap_err();
        assert!(problem.message.starts_with("not JSON"), "{problem}");
    }
}

#[test]
fn bad_rules_are_refused() {
    for text in ["", "a: [", "prefixes: {}", "unknown: 1", "- 1"] {
        let problem = Rules::from_text("rules.yaml", text).unwrap_err();
        assert!(!problem.message.is_empty(), "{text}");
    }
}
