//! Which part the data and the errors of an answer belong to.

use serde_json::{Map, Value, json};

use crate::support::merged;

const ONE: &str = "{ viewer { login } }";
const TWO: &str = "{ me: viewer { login } organization(login: \"acme\") { id } }";

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn path(segments: &[&str]) -> Vec<String> {
    segments.iter().map(|&segment| segment.to_owned()).collect()
}

#[test]
fn each_part_gets_its_keys_back() {
    let batch = merged(&[(ONE, None, Value::Null), (TWO, None, Value::Null)]);
    let answers = batch.split(object(&json!({
        "a_1_me": { "login": "x" },
        "a_0": { "login": "y" },
        "a_1_organization": null,
        "stranger": 1,
    })));
    assert_eq!(
        answers,
        [
            object(&json!({ "viewer": { "login": "y" } })),
            object(&json!({ "me": { "login": "x" }, "organization": null })),
        ]
    );
}

#[test]
fn what_is_absent_stays_absent() {
    let batch = merged(&[(ONE, None, Value::Null), (TWO, None, Value::Null)]);
    let answers = batch.split(object(&json!({ "a_1_me": null })));
    assert_eq!(answers, [Map::new(), object(&json!({ "me": null }))]);
    assert_eq!(batch.split(Map::new()), [Map::new(), Map::new()]);
}

#[test]
fn errors_belong_to_the_part_that_their_path_starts_with() {
    let batch = merged(&[(ONE, None, Value::Null), (TWO, None, Value::Null)]);
    let owner = |segments: &[&str]| batch.owner(&path(segments));
    assert_eq!(
        owner(&["a_0", "login"]),
        Some((0, path(&["viewer", "login"])))
    );
    assert_eq!(
        owner(&["a_1_organization", "nodes", "3", "id"]),
        Some((1, path(&["organization", "nodes", "3", "id"])))
    );
    assert_eq!(owner(&["query", "a_1_me"]), Some((1, path(&["me"]))));
    assert_eq!(
        owner(&["query Chain", "a_0", "x"]),
        Some((0, path(&["viewer", "x"])))
    );
    for nobody in [
        &[][..],
        &["0"],
        &["0", "a_0"],
        &["viewer"],
        &["query"],
        &["query", "viewer"],
        &["query Other", "a_0"],
        &["mutation Chain", "a_0"],
        &["fragment F", "a_0"],
    ] {
        assert_eq!(owner(nobody), None, "{nobody:?}");
    }
}

#[test]
fn a_part_may_be_called_query() {
    let variables = Map::new();
    let part = |alias| capstan_graphql::Part {
        alias,
        document: ONE,
        operation_name: None,
        variables: &variables,
    };
    let batch = capstan_graphql::merge(&[part("query"), part("login")]).unwrap();
    assert_eq!(
        batch.owner(&path(&["query", "login"])),
        Some((0, path(&["viewer", "login"])))
    );
    assert_eq!(
        batch.owner(&path(&["mutation", "login"])),
        Some((1, path(&["viewer"])))
    );
}
