//! Random descriptions: each becomes outlines that come back from their files, and that become cards.

use std::collections::BTreeMap;

use capstan_catalog::outline::read_outlines;
use capstan_generator::{Catalogue, Document, Support};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::support::rules;

const NAMES: [&str; 12] = [
    "id",
    "name",
    "user",
    "html_url",
    "x_url",
    "node_id",
    "total_count",
    "in",
    "a-b",
    "+1",
    "enum",
    "Ü?",
];

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned),
        1 => "[a-z_]{1,6}",
    ]
}

/// Returns a schema, with every key that the reader knows.
fn schema() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        prop::sample::select(vec!["string", "integer", "number", "boolean"])
            .prop_map(|kind| json!({"type": kind})),
        Just(json!({})),
        Just(json!({"type": "object"})),
        vec("[a-z |]{0,4}", 0..3).prop_map(|values| json!({"type": "string", "enum": values})),
        vec(any::<i8>(), 1..3).prop_map(|values| json!({"enum": values})),
    ];
    let nested = scalar.prop_recursive(4, 24, 4, |inner| {
        let object = (btree_map(name(), inner.clone(), 0..5), vec(name(), 0..3), option::of(inner.clone()));
        prop_oneof![
            3 => object.prop_map(|(properties, required, values)| {
                json!({"type": "object", "properties": properties, "required": required, "additionalProperties": values})
            }),
            2 => inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            1 => vec(inner.clone(), 0..3).prop_map(|parts| json!({"allOf": parts})),
            1 => vec(inner.clone(), 0..3).prop_map(|choices| json!({"oneOf": choices})),
            1 => vec(inner, 0..3).prop_map(|choices| json!({"anyOf": choices, "properties": {"id": {}}})),
        ]
    });
    (nested, any::<bool>(), any::<bool>()).prop_map(|(mut schema, is_nullable, is_deprecated)| {
        if is_nullable {
            schema["nullable"] = json!(true);
        }
        if is_deprecated {
            schema["deprecated"] = json!(true);
        }
        schema
    })
}

fn media() -> impl Strategy<Value = Value> {
    let kind =
        prop_oneof![4 => Just("application/json"), 1 => Just("text/plain"), 1 => Just("x/y")];
    (kind, schema()).prop_map(|(kind, schema)| json!({"content": {kind: {"schema": schema}}}))
}

fn operation() -> impl Strategy<Value = Value> {
    let query = prop::sample::select(vec![
        "page", "per_page", "after", "cursor", "since", "q", "state",
    ]);
    let status = prop::sample::select(vec!["200", "201", "202", "204", "302", "404"]);
    (
        btree_map(query, schema(), 0..4),
        option::of(media()),
        btree_map(status, option::of(media()), 0..3),
        any::<bool>(),
    )
        .prop_map(|(query, body, answers, is_deprecated)| {
            let parameters = query
                .into_iter()
                .map(|(name, schema)| json!({"name": name, "in": "query", "schema": schema}));
            let parameters: Vec<_> = parameters.collect();
            let answers: BTreeMap<_, _> = answers
                .into_iter()
                .map(|(status, media)| (status, media.unwrap_or(json!({}))))
                .collect();
            json!({
                "summary": "Get a thing",
                "parameters": parameters,
                "requestBody": body,
                "responses": answers,
                "deprecated": is_deprecated,
            })
        })
}

fn description() -> impl Strategy<Value = Value> {
    let method = prop::sample::select(vec!["get", "post", "put", "patch", "delete"]);
    vec((method, any::<bool>(), operation()), 1..4).prop_map(|operations| {
        let mut paths = Map::new();
        for (number, (method, has_blank, mut operation)) in operations.into_iter().enumerate() {
            operation["operationId"] = json!(format!("things/do-{number}"));
            let mut path = format!("/things/p{number}");
            if has_blank {
                path.push_str("/{id}");
                let blank = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}});
                if let Some(parameters) = operation["parameters"].as_array_mut() {
                    parameters.push(blank);
                }
            }
            paths.insert(path, json!({method: operation}));
        }
        json!({"paths": paths})
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_descriptions_become_cards(description in description()) {
        let catalogue = Catalogue::build(&Document::from_json(description), &rules());
        let catalogue = catalogue.map_err(|problems| TestCaseError::fail(format!("{problems:?}")))?;
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in catalogue.files() {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let read: BTreeMap<_, _> = read_outlines(folder.path()).unwrap().into_iter().collect();
        prop_assert_eq!(&read, &catalogue.outlines);
        let support = Support::of(&catalogue.outlines);
        prop_assert!(support.unsupported.is_empty(), "{support}");
    }

    /// Whatever the description is, there is an answer and no panic.
    #[test]
    fn anything_is_answered(description in anything()) {
        let _ = Catalogue::build(&Document::from_json(description), &rules()).map(|catalogue| catalogue.files());
    }
}

/// Returns JSON that looks like a description in places.
fn anything() -> impl Strategy<Value = Value> {
    let key = prop::sample::select(vec![
        "paths",
        "/things",
        "/things/{id}",
        "get",
        "delete",
        "operationId",
        "parameters",
        "name",
        "in",
        "schema",
        "type",
        "properties",
        "items",
        "enum",
        "required",
        "oneOf",
        "allOf",
        "$ref",
        "responses",
        "200",
        "content",
        "application/json",
        "requestBody",
        "nullable",
        "additionalProperties",
        "summary",
        "servers",
        "url",
        "x-github",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        prop::sample::select(vec![
            "object", "array", "string", "path", "query", "id", "#/paths", "#", "Get it", "{"
        ])
        .prop_map(Value::from),
    ];
    let tree = leaf.prop_recursive(8, 128, 6, move |inner| {
        prop_oneof![
            4 => btree_map(key.clone().prop_map(str::to_owned), inner.clone(), 0..6).prop_map(|fields| json!(fields)),
            1 => vec(inner, 0..4).prop_map(Value::from),
        ]
    });
    tree.prop_map(|tree| json!({"paths": {"/things/{id}": {"get": tree, "put": {"operationId": "a", "summary": "Get it", "requestBody": tree, "responses": {"200": tree}}}}}))
}
