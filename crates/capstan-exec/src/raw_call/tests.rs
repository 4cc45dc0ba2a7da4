//! What any input makes of a raw call.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use capstan_core::card::{Card, Operation};

use super::{card_for, sends_same_request};

fn card(kind: &str, operation: &str) -> Arc<Card> {
    let text = format!(
        "capability_id: raw.call\nversion: \"1.0.0\"\ndescription: Send a request.\n\
         operation: {operation}\nrequest: {kind}\ninput_schema: {{type: object}}\noutput_schema: {{}}\n"
    );
    let source = capstan_core::Source::new("card.yaml", text);
    Arc::new(capstan_catalog::load_text(&source, |_| Err(String::new())).unwrap())
}

fn made(kind: &str, input: &Value) -> Arc<Card> {
    card_for(&card(kind, "WRITE"), input.as_object().unwrap()).unwrap()
}

/// A user may have a raw card that only reads.
#[test]
fn a_card_that_reads_sends_no_write() {
    for (kind, read, write) in [
        (
            "rest",
            json!({"path": "/user"}),
            json!({"path": "/user", "method": "PATCH"}),
        ),
        (
            "graphql",
            json!({"query": "{ a }"}),
            json!({"query": "mutation { a }"}),
        ),
    ] {
        let card = card(kind, "READ");
        let made = card_for(&card, read.as_object().unwrap()).unwrap();
        assert_eq!(made.operation, Operation::Read);
        let refused = card_for(&card, write.as_object().unwrap()).unwrap_err();
        assert!(
            refused.message.contains("raw.call only reads"),
            "{}",
            refused.message
        );
    }
}

#[test]
fn requests_that_may_be_the_same_are_recognized() {
    let call = |method: &str, path: &str, params: Value| {
        made(
            "rest",
            &json!({"method": method, "path": path, "params": params}),
        )
    };
    let any = |name: &str| json!({name: "x"});
    let topics = call("PUT", "/repos/{o}/y/topics", any("o"));
    for (other, same) in [
        (call("PUT", "/repos/a/{p}/topics", any("p")), true),
        (
            call("PUT", "https://api.github.com/repos/a/y/topics", json!({})),
            true,
        ),
        (
            call(
                "PUT",
                "https://git.example.org/api/v3/repos/a/y/topics",
                json!({}),
            ),
            true,
        ),
        (call("PUT", "/REPOS/a/y/%74opics", json!({})), true),
        (call("PUT", "/repos/{+all}", any("all")), true),
        (call("GET", "/repos/a/y/topics", json!({})), false),
        (call("PUT", "/repos/a/z/topics", json!({})), false),
        (call("PUT", "/repos/a/y/topics/b", json!({})), false),
    ] {
        let other_path = other.rest.as_ref().unwrap().call.path.outline("*");
        assert_eq!(sends_same_request(&topics, &other), same, "{other_path}");
        assert_eq!(sends_same_request(&other, &topics), same, "{other_path}");
    }
    let mutation = |text: &str| made("graphql", &json!({"query": text}));
    let one = mutation("mutation { x: a ... F } fragment F on M { b }");
    assert!(sends_same_request(&one, &mutation("mutation { b }")));
    assert!(!sends_same_request(&one, &mutation("mutation { x }")));
    assert!(!sends_same_request(&one, &mutation("query { b }")));
}

fn inputs() -> impl Strategy<Value = Value> {
    let text = || "[a-z/{}+.%?&=:@\\\\ $0-9A-F\\PC]{0,24}";
    let value = prop_oneof![
        text().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!(["a", 1])),
        Just(json!({"a": "..", "owner": "x/../y"})),
    ];
    let name = prop_oneof![
        Just("method"),
        Just("path"),
        Just("params"),
        Just("query"),
        Just("body"),
        Just("accept"),
        Just("owner"),
        Just("repo"),
        Just("first"),
        Just("after"),
        Just("variables"),
        Just("operation"),
    ];
    let more = proptest::collection::vec((name, value), 0..5);
    (text(), more).prop_map(|(path, more)| {
        let mut input = json!({"path": path});
        for (name, value) in more {
            input[name] = value;
        }
        input
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever the input: nothing panics, a request stays below the API, and only writing methods write.
    #[test]
    fn nothing_strange_is_sent(input in inputs()) {
        for kind in ["rest", "graphql"] {
            let card = card(kind, "WRITE");
            let mut fields = input.as_object().cloned().unwrap();
            if kind == "graphql" {
                fields.insert("query".to_owned(), input["path"].clone());
            }
            let Ok(made) = card_for(&card, &fields) else { continue };
            if let Some(rest) = &made.rest {
                let path = rest.call.path.outline("x");
                prop_assert!(path.starts_with('/') || path.contains("://"), "{}", path);
                prop_assert!(!path.contains("/../") && !path.ends_with("/.."), "{}", path);
                let method = input["method"].as_str().unwrap_or("GET").trim().to_uppercase();
                let reads = ["GET", "HEAD"].contains(&method.as_str());
                prop_assert_eq!(made.operation == Operation::Read, reads);
            }
        }
    }
}
