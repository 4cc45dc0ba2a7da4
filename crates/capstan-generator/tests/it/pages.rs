//! Lists: their rows, and each way in which they continue.

use capstan_catalog::outline::{Outline, Pages};
use serde_json::{Value, json};

use crate::support::{answer, outline};

fn rows() -> Value {
    json!({"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}})
}

/// Returns a list whose operation has these parameters in its query.
#[track_caller]
fn list(schema: &Value, parameters: &[(&str, &str)], has_link: bool) -> Outline {
    let parameters = parameters
        .iter()
        .map(|(name, kind)| json!({"name": name, "in": "query", "schema": {"type": kind}}));
    let parameters: Vec<_> = parameters.collect();
    let mut response = answer(schema);
    if has_link {
        response["headers"] = json!({"Link": {}});
    }
    outline(
        "get",
        "/things",
        &json!({"parameters": parameters, "responses": {"200": response}}),
    )
    .1
}

#[track_caller]
fn check(parameters: &[(&str, &str)], has_link: bool, pages: Option<Pages>, inputs: &[&str]) {
    let outline = list(&rows(), parameters, has_link);
    assert_eq!(outline.pages, pages);
    assert_eq!(json!(outline.rows), json!({"id": "integer"}));
    let names: Vec<_> = outline.input.keys().map(String::as_str).collect();
    assert_eq!(names, inputs);
}

#[test]
fn each_way_to_continue_is_found() {
    let (text, number) = ("string", "integer");
    check(
        &[("per_page", number), ("page", number)],
        true,
        Some(Pages::Page),
        &[],
    );
    check(
        &[("page", number), ("after", text), ("before", text)],
        true,
        Some(Pages::Page),
        &[],
    );
    check(
        &[("per_page", number), ("after", text)],
        true,
        Some(Pages::Cursor),
        &[],
    );
    check(
        &[("first", number), ("after", text), ("last", number)],
        true,
        Some(Pages::Cursor),
        &[],
    );
    check(
        &[("per_page", number), ("cursor", text)],
        true,
        Some(Pages::CursorParam),
        &[],
    );
    check(
        &[("per_page", number), ("since", number)],
        true,
        Some(Pages::Since),
        &[],
    );
    check(&[("x", text)], true, Some(Pages::Link), &["x?"]);
    check(&[("since", text)], false, None, &["since?"]);
    check(
        &[("page", number), ("since", text)],
        false,
        Some(Pages::Page),
        &["since?"],
    );
}

#[test]
fn a_list_may_be_inside_an_object() {
    let page = json!({"type": "object", "properties": {
        "total_count": {"type": "integer"},
        "words": {"type": "array", "items": {"type": "string"}},
        "things": rows(),
    }});
    let outline = list(&page, &[("page", "integer")], false);
    assert_eq!(outline.at.as_deref(), Some("things"));
    assert_eq!(outline.total.as_deref(), Some("total_count"));
    assert_eq!(json!(outline.rows), json!({"id": "integer"}));
}

#[test]
fn an_object_with_more_than_a_list_stays_an_object() {
    let object =
        json!({"type": "object", "properties": {"state": {"type": "string"}, "things": rows()}});
    let outline = list(&object, &[], false);
    assert_eq!(
        json!(outline.output),
        json!({"state": "string", "things": [{"id": "integer"}]})
    );
    assert!(outline.rows.is_none() && outline.pages.is_none());
    // If it has pages, its rows are what people ask for.
    let outline = list(&object, &[("page", "integer")], false);
    assert_eq!(outline.at.as_deref(), Some("things"));
}

#[test]
fn rows_may_be_words() {
    let outline = list(
        &json!({"type": "array", "items": {"type": "string"}}),
        &[],
        false,
    );
    assert_eq!(json!(outline.rows), json!("string"));
}

#[test]
fn only_reads_have_pages() {
    let parameters = json!([{"name": "page", "in": "query", "schema": {"type": "integer"}}]);
    let operation = json!({"parameters": parameters, "responses": {"200": answer(&rows())}});
    let (_, outline) = outline("post", "/things", &operation);
    assert_eq!(outline.pages, None);
    assert_eq!(json!(outline.input), json!({"page?": "integer"}));
}
