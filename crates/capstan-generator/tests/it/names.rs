//! Inputs that take a name as well as an id: which rule applies, and which apply to nothing.

use capstan_catalog::outline::Outline;
use serde_json::{Value, json};

use crate::support::{answer, build, description, rules_with};

const RULES: &str = r#"
names:
  - because: they have names
    inputs: [box_id, box_ids]
    below: /things
    find: { noun: box, form: name, path: "/boxes/{$item}" }
  - because: they have titles, and the operation says whose they are
    inputs: [shelf_number]
    find: { noun: shelf, form: title, path: "/users/{user}/shelves", by: title, id: number }
"#;

fn body(fields: &Value) -> Value {
    json!({"requestBody": answer(&json!({"type": "object", "properties": fields}))})
}

fn in_path(name: &str) -> Value {
    json!({"name": name, "in": "path", "required": true, "schema": {"type": "integer"}})
}

/// Builds a description whose other operations use every rule.
fn built(method: &str, path: &str, operation: &Value) -> Outline {
    let mut all = description(method, path, operation);
    let used = json!({"operationId": "things/use", "parameters": [in_path("box_id"), in_path("shelf_number")]});
    let other = description("get", "/things/{box_id}/{user}/{shelf_number}/use", &used);
    let path = other["paths"].as_object().unwrap().iter().next().unwrap();
    all["paths"][path.0] = path.1.clone();
    let outlines = build(&all, &rules_with(RULES)).unwrap();
    let outline = outlines.values().find(|it| it.source == "things/do-it");
    outline.unwrap().clone()
}

#[test]
fn ids_of_what_has_a_name_can_be_names() {
    let fields = json!({
        "box_ids": {"type": "array", "items": {"oneOf": [{"type": "integer"}, {"type": "string"}]}},
        "box_id": {"type": "integer", "nullable": true},
        "size": {"type": "integer"},
    });
    let outline = built("post", "/things", &body(&fields));
    assert_eq!(
        json!(outline.input),
        json!({"box_ids?": ["integer"], "box_id?": "integer|null", "size?": "integer"})
    );
    let found = json!({"noun": "box", "form": "name", "path": "/boxes/{$item}"});
    assert_eq!(
        json!(outline.names),
        json!({"box_ids": found, "box_id": found})
    );
}

#[test]
fn a_rule_applies_only_where_its_path_can_be_filled_in() {
    let elsewhere = built(
        "post",
        "/other",
        &body(&json!({"box_id": {"type": "integer"}})),
    );
    assert!(elsewhere.names.is_empty(), "{elsewhere:?}");
    let shelf = body(&json!({"shelf_number": {"type": "integer"}}));
    assert!(built("post", "/things", &shelf).names.is_empty());
    let whose = built("post", "/users/{user}/things", &shelf);
    assert_eq!(whose.names["shelf_number"].by.as_deref(), Some("title"));
}

#[test]
fn what_takes_no_integers_takes_no_names() {
    let fields = json!({"box_id": {"type": "string"}, "box_ids": {"type": "object"}});
    let outline = built("post", "/things", &body(&fields));
    assert!(outline.names.is_empty(), "{outline:?}");
}

#[test]
fn a_rule_that_applies_nowhere_is_a_problem() {
    let all = description(
        "post",
        "/things",
        &body(&json!({"box_id": {"type": "integer"}})),
    );
    let problems = build(&all, &rules_with(RULES)).unwrap_err();
    let [problem] = problems.as_slice() else {
        panic!("{problems:?}");
    };
    assert!(problem.to_string().contains("shelf_number"), "{problem}");
}
