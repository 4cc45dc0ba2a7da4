//! Documents that are as deep, long or repetitive as the parser accepts.

use std::fmt::Write as _;

use capstan_graphql::{Part, count_nodes, merge};
use serde_json::{Map, json};

use crate::support::try_merge;

/// Returns whether the document can be merged. The result must be a valid document.
fn merges(document: &str) -> bool {
    let counted = count_nodes(document, None, &Map::new());
    match try_merge(&[(document, None, json!({})), (document, None, json!({}))]) {
        Ok(batch) => {
            counted.unwrap();
            apollo_compiler::ast::Document::parse(batch.document, "batch").unwrap();
            true
        }
        Err(error) => {
            assert!(error.to_string().contains("limit"), "{error}");
            false
        }
    }
}

/// The deepest nesting that the parser accepts, which must not be too deep for us.
fn deepest(document: impl Fn(usize) -> String) -> usize {
    let (mut taken, mut refused) = (100, 600);
    assert!(merges(&document(taken)));
    assert!(!merges(&document(refused)));
    while refused - taken > 1 {
        let middle = taken.midpoint(refused);
        if merges(&document(middle)) {
            taken = middle;
        } else {
            refused = middle;
        }
    }
    taken
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn the_deepest_documents_that_can_be_parsed() {
    assert!(deepest(|depth| format!("{{ {} }}", nested("a { ", "b", " }", depth))) > 100);
    assert!(deepest(|depth| format!("{{ {} }}", nested("... { ", "b", " }", depth))) > 100);
    assert!(deepest(|depth| format!("{{ a(x: {}) }}", nested("[", "1", "]", depth))) > 100);
    assert!(deepest(|depth| format!("{{ a(x: {}) }}", nested("{y: ", "1", "}", depth))) > 100);
    assert!(deepest(|depth| format!("{{ a @d(x: {}) }}", nested("[{y: ", "1", "}]", depth))) > 100);
    assert!(
        deepest(|depth| format!(
            "query ($x: {}) {{ a(x: $x) }}",
            nested("[", "Int", "]", depth)
        )) > 100
    );
    assert!(
        deepest(|depth| format!(
            "{{ ...F }} fragment F on Query {{ {} }}",
            nested("a(first: 9) { ", "b", " }", depth)
        )) > 100
    );
}

#[test]
fn long_chains_of_fragments() {
    let mut root = "{ ...F0 }".to_owned();
    let mut inner = "{ relay { ...F0 } }".to_owned();
    for index in 0..4_000 {
        let next = index + 1;
        write!(root, " fragment F{index} on Query {{ ...F{next} }}").unwrap();
        write!(inner, " fragment F{index} on Query {{ ...F{next} }}").unwrap();
    }
    for document in [root, inner] {
        assert!(merges(&(document + " fragment F4000 on Query { id }")));
    }
}

#[test]
fn fragments_that_double_at_every_step() {
    let mut document = "{ ...F0 relay { ...F0 } }".to_owned();
    for index in 0..200 {
        let next = index + 1;
        write!(
            document,
            " fragment F{index} on Query {{ ...F{next} @include(if: true) ...F{next} }}"
        )
        .unwrap();
    }
    document += " fragment F200 on Query { viewer { followers(first: 1) { totalCount } } }";
    assert!(merges(&document));
    assert_eq!(count_nodes(&document, None, &Map::new()), Ok(u64::MAX));
}

#[test]
fn thousands_of_parts_of_one_alias() {
    let variables = Map::new();
    let part = Part {
        alias: "same",
        document: "{ viewer { login } }",
        operation_name: None,
        variables: &variables,
    };
    let batch = merge(&vec![part; 5000]).unwrap();
    assert!(batch.document.contains(" same_5000: viewer "));
}
