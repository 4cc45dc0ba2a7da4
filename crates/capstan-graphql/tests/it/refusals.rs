//! Operations that cannot be merged, and the messages for them.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::{Source, try_merge};

const FINE: Source<'static> = ("{ viewer { login } }", None, Value::Null);

#[test]
fn every_refusal_names_the_part_and_the_reason() {
    let refused: &[(&str, Option<&str>)] = &[
        ("query {", None),
        ("", None),
        ("query Q { }", None),
        ("type Query { id: ID } query { id }", None),
        ("query A { id } query B { id }", None),
        ("query A { id } query B { id }", Some("C")),
        ("{ id }", Some("A")),
        ("fragment F on Query { id }", None),
        ("subscription { x }", None),
        (
            "mutation { closeIssue(input: {issueId: \"x\"}) { clientMutationId } }",
            None,
        ),
        ("query Q @live { id }", None),
        ("{ ...F }", None),
        ("{ viewer { ...F } } fragment F on User { ...G }", None),
        ("{ ...F } fragment F on Query { relay { ...F } }", None),
        (
            "{ ...F } fragment F on Query { ...G } fragment G on Query { ...H } fragment H on Query { ...G }",
            None,
        ),
        (
            "{ ...F } fragment F on Query { id } fragment F on Query { id }",
            None,
        ),
        ("{ user(login: $login) { id } }", None),
        (
            "{ viewer { ...F } } fragment F on User { followers(first: $n) { totalCount } }",
            None,
        ),
        ("query ($n: Int) { id }", None),
        (
            "query ($n: Int, $n: Int) { viewer { followers(first: $n) { totalCount } } }",
            None,
        ),
    ];
    let mut said = String::new();
    for (document, name) in refused {
        let error = try_merge(&[FINE, (document, *name, Value::Null), FINE]).unwrap_err();
        assert_eq!(error.part(), Some(1), "{document}");
        writeln!(said, "{document}\n  {error}").unwrap();
    }
    insta::assert_snapshot!(said);
}

#[test]
fn nothing_is_no_batch() {
    let error = try_merge(&[]).unwrap_err();
    assert_eq!(error.part(), None);
    insta::assert_snapshot!(error);
}

#[test]
fn aliases_must_be_names() {
    let variables = serde_json::Map::new();
    for alias in ["", "1", "a-b", "é", "a b"] {
        let part = capstan_graphql::Part {
            alias,
            document: FINE.0,
            operation_name: None,
            variables: &variables,
        };
        let error = capstan_graphql::merge(&[part]).unwrap_err();
        assert!(error.to_string().contains(&format!("`{alias}`")), "{error}");
    }
}
