//! Descriptions of services: ids, inputs and pages by general rules, and no panic whatever they say.

use capstan_core::ServiceName;
use capstan_generator::{OperationFilter, ServiceImport, import_graphql, import_openapi};
use proptest::prelude::*;
use serde_json::{Value, json};

fn service() -> ServiceName {
    ServiceName::parse("svc").unwrap()
}

fn import(description: &Value) -> ServiceImport {
    import_openapi(
        &description.to_string(),
        &service(),
        &OperationFilter::default(),
    )
    .unwrap()
}

/// Imports operations: each a method, a path and what the description says.
fn imported(operations: &[(&str, &str, Value)]) -> ServiceImport {
    let mut paths = json!({});
    for (method, path, operation) in operations {
        paths[*path][*method] = operation.clone();
    }
    import(&json!({"openapi": "3.0.3", "paths": paths}))
}

fn answering(schema: &Value) -> Value {
    json!({"responses": {"200": {"content": {"application/json": {"schema": schema}}}}})
}

fn in_path(names: &[&str], mut operation: Value) -> Value {
    let parameters = names.iter().map(
        |name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}),
    );
    operation["parameters"] = parameters.collect();
    operation
}

#[track_caller]
fn check_ids(import: &ServiceImport, expected: &[&str]) {
    let ids: Vec<&str> = import.outlines.keys().map(String::as_str).collect();
    assert_eq!(ids, expected, "{:?}", import.left_out);
}

#[test]
fn ids_are_nouns_and_a_verb() {
    let list = answering(
        &json!({"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}),
    );
    let one = answering(&json!({"type": "object", "properties": {"id": {"type": "string"}}}));
    let import = imported(&[
        ("get", "/api/v2/userGroups", list.clone()),
        (
            "get",
            "/api/v2/userGroups/{groupId}",
            in_path(&["groupId"], one.clone()),
        ),
        ("post", "/api/v2/userGroups", one.clone()),
        (
            "put",
            "/api/v2/userGroups/{groupId}",
            in_path(&["groupId"], one.clone()),
        ),
        (
            "delete",
            "/api/v2/userGroups/{groupId}",
            in_path(&["groupId"], json!({"responses": {"204": {}}})),
        ),
        (
            "post",
            "/api/v2/userGroups/{groupId}/archive",
            in_path(&["groupId"], one.clone()),
        ),
        (
            "delete",
            "/api/v2/userGroups/{groupId}/archive",
            in_path(&["groupId"], one.clone()),
        ),
        ("get", "/api/v2/2fa", one),
        ("get", "/api/v2/search", list),
    ]);
    check_ids(
        &import,
        &[
            "svc.n2fa.view",
            "svc.search.list",
            "svc.user_groups.archive",
            "svc.user_groups.create",
            "svc.user_groups.delete",
            "svc.user_groups.list",
            "svc.user_groups.unarchive",
            "svc.user_groups.update",
            "svc.user_groups.view",
        ],
    );
}

#[test]
fn no_two_operations_have_the_same_id() {
    let one = answering(&json!({"type": "object", "properties": {"id": {"type": "string"}}}));
    let import = imported(&[
        ("get", "/things", one.clone()),
        ("get", "/things/{id}", in_path(&["id"], one.clone())),
        ("get", "/things/", one.clone()),
        ("get", "/Things", one.clone()),
        ("get", "/things/{a}/{b}", in_path(&["a", "b"], one)),
    ]);
    assert_eq!(import.outlines.len(), 5, "{:?}", import.outlines.keys());
    assert!(import.outlines.contains_key("svc.things.view"));
    assert!(import.outlines.contains_key("svc.things.view_by_id"));
}

#[test]
fn inputs_of_the_same_name_are_told_apart() {
    let mut operation = in_path(&["id"], json!({"responses": {"204": {}}}));
    let parameters = operation["parameters"].as_array_mut().unwrap();
    parameters.push(json!({"name": "id", "in": "query", "schema": {"type": "integer"}}));
    parameters.push(json!({"name": "X-Id", "in": "header", "schema": {"type": "string"}}));
    parameters.push(json!({"name": "Authorization", "in": "header", "schema": {"type": "string"}}));
    operation["requestBody"] = json!({"content": {"application/json": {"schema": {
        "type": "object",
        "required": ["id"],
        "properties": {"id": {"type": "boolean"}},
    }}}});
    let import = imported(&[("post", "/things/{id}", operation)]);
    let outline = import.outlines.values().next().unwrap();
    let inputs = serde_json::to_value(&outline.input).unwrap();
    let expected =
        json!({"id": "string", "query_id?": "integer", "X_Id?": "string", "body_id": "boolean"});
    assert_eq!(inputs, expected);
    // Both are sent as `id`, one in the query and one in the body.
    assert_eq!(outline.query, ["query_id"]);
    assert_eq!(outline.headers["X_Id"], "X-Id");
}

#[test]
fn pages_are_as_large_as_the_description_allows() {
    let list = json!({"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}});
    let mut operation = answering(&list);
    operation["parameters"] = json!([
        {"name": "page", "in": "query", "schema": {"type": "integer"}},
        {"name": "per_page", "in": "query", "schema": {"type": "integer", "maximum": 20}},
        {"name": "state", "in": "query", "schema": {"type": "string"}},
    ]);
    let import = imported(&[("get", "/things", operation)]);
    let outline = &import.outlines["svc.things.list"];
    assert_eq!(outline.page_size.as_deref(), Some("per_page"));
    assert_eq!(outline.largest_page, Some(20));
    assert_eq!(outline.input.keys().collect::<Vec<_>>(), ["state?"]);
}

#[test]
fn yaml_says_the_same_as_json() {
    let yaml = "openapi: 3.0.0\npaths:\n  /things:\n    get:\n      summary: Lists things\n      responses:\n        \
                200:\n          content:\n            application/json:\n              schema: {type: array, items: {type: string}}\n";
    let import = import_openapi(yaml, &service(), &OperationFilter::default()).unwrap();
    let same = imported(&[(
        "get",
        "/things",
        json!({
            "summary": "Lists things",
            "responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {"type": "string"}}}}}},
        }),
    )]);
    assert_eq!(import.outlines, same.outlines);
    assert_eq!(
        import.outlines["svc.things.list"].description,
        "List things."
    );
}

#[test]
fn files_have_the_outlines() {
    let one = answering(&json!({"type": "object", "properties": {"id": {"type": "string"}}}));
    let import = imported(&[("get", "/things", one.clone()), ("get", "/other", one)]);
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in import.files() {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let drift = import.drift(folder.path());
    assert!(drift.is_empty(), "{drift}");
    assert_eq!(import.files().len(), 2);
}

#[test]
fn schemas_may_contain_themselves() {
    let description = json!({
        "openapi": "3.1.0",
        "paths": {"/nodes": {"post": {
            "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}},
            "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}},
        }}},
        "components": {"schemas": {"Node": {"type": "object", "properties": {
            "id": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
            "others": {"anyOf": [{"$ref": "#/components/schemas/Node"}, {"type": "null"}]},
        }}}},
    });
    check_ids(&import(&description), &["svc.nodes.create"]);
}

#[test]
fn a_schema_and_its_introspection_become_the_same() {
    let schema = "type Query { thing(id: ID!): Thing  things(first: Int = 5): [Thing!]! }\n\
                  type Thing { id: ID! name: String @deprecated(reason: \"old\") }";
    let introspection = json!({"data": {"__schema": {
        "queryType": {"name": "Query"},
        "types": [
            {"kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [
                {"name": "thing", "type": {"kind": "OBJECT", "name": "Thing"}, "args": [
                    {"name": "id", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "ID"}}},
                ]},
                {"name": "things", "args": [
                    {"name": "first", "type": {"kind": "SCALAR", "name": "Int"}, "defaultValue": "5"},
                ], "type": {"kind": "NON_NULL", "ofType": {"kind": "LIST", "ofType":
                    {"kind": "NON_NULL", "ofType": {"kind": "OBJECT", "name": "Thing"}}}}},
            ]},
            {"kind": "OBJECT", "name": "Thing", "interfaces": [], "fields": [
                {"name": "id", "args": [], "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "ID"}}},
                {"name": "name", "args": [], "type": {"kind": "SCALAR", "name": "String"},
                 "isDeprecated": true, "deprecationReason": "old"},
            ]},
            {"kind": "SCALAR", "name": "ID"},
        ],
    }}});
    let import =
        |text: &str| import_graphql(text, "s", &service(), &OperationFilter::default()).unwrap();
    let written = import(schema);
    assert_eq!(
        written.outlines,
        import(&introspection.to_string()).outlines
    );
    check_ids(&written, &["svc.thing", "svc.things"]);
}

/// Returns values that look like parts of a description.
fn odd_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        prop::sample::select(vec![
            "#/components/schemas/A",
            "string",
            "object",
            "array",
            "query",
            "path",
            "header",
            "",
            "{",
            "}",
            "/",
            "a[b]",
            "deepObject",
            "application/json",
            "é",
            "\u{0}",
            "\n",
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let keys = prop::sample::select(vec![
            "type",
            "properties",
            "items",
            "$ref",
            "allOf",
            "anyOf",
            "enum",
            "required",
            "parameters",
            "name",
            "in",
            "schema",
            "responses",
            "200",
            "content",
            "application/json",
            "requestBody",
            "get",
            "post",
            "style",
            "explode",
            "application/x-www-form-urlencoded",
            "additionalProperties",
            "tags",
            "operationId",
            "summary",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((keys, inner), 0..5).prop_map(|fields| {
                Value::Object(
                    fields
                        .into_iter()
                        .map(|(key, value)| (key.to_owned(), value))
                        .collect(),
                )
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_description_causes_a_panic(
        item in odd_json(),
        operation in odd_json(),
        schema in odd_json(),
        path in prop::sample::select(vec!["/a", "/a/{b}", "/{a}{b}", "/a/{", "/}", "a", "//", "/é/{é}", ""]),
    ) {
        let description = json!({
            "openapi": "3.0.0",
            "paths": {path: item, "/x/{id}": {"get": operation, "post": {
                "requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}},
                "responses": {"200": {"content": {"application/json": {"schema": schema}}}},
            }}},
            "components": {"schemas": {"A": schema}, "securitySchemes": {"s": operation}},
            "servers": item,
        });
        let import = import_openapi(&description.to_string(), &service(), &OperationFilter::default());
        if let Ok(import) = import {
            for (id, outline) in &import.outlines {
                prop_assert!(capstan_catalog::outline::check(id, outline).is_ok(), "{id}");
            }
            let _ = import.suggestion.to_toml(&service(), None);
        }
        let _ = import_graphql(&description.to_string(), "s", &service(), &OperationFilter::default());
        let _ = import_graphql(&json!({"__schema": schema}).to_string(), "s", &service(), &OperationFilter::default());
    }
}
