//! No input causes a panic.

use capstan_graphql::{Part, alias, count_nodes, merge};
use proptest::prelude::*;
use serde_json::Map;

use crate::generate::query;
use crate::support::config;

/// Runs every function on the input. Any result is fine.
fn try_all(document: &str, name: Option<&str>, alias: &str) {
    let variables = Map::new();
    let part = Part {
        alias,
        document,
        operation_name: name,
        variables: &variables,
    };
    if let Ok(batch) = merge(&[part, part]) {
        apollo_compiler::ast::Document::parse(batch.document, "batch").unwrap();
    }
    let _ = count_nodes(document, name, &variables);
}

/// Pieces that a parser knows, in any order.
fn tokens() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ":",
        "...",
        "@",
        "$",
        "!",
        "=",
        "|",
        "&",
        "\"",
        "\"\"\"",
        "#",
        "\n",
        "\r",
        ",",
        " ",
        "query",
        "mutation",
        "subscription",
        "fragment",
        "on",
        "a",
        "F",
        "null",
        "true",
        "1",
        "-",
        "0.5e",
        "\\u",
        "\\",
        "\u{feff}",
        "é",
        "\0",
        "\\u{",
        "\\uD83D",
        "type",
        "extend",
    ]);
    prop::collection::vec(token, 0..40).prop_map(|tokens| tokens.join(" "))
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn any_text(document in any::<String>(), name in any::<Option<String>>(), own in any::<String>()) {
        try_all(&document, name.as_deref(), &own);
    }

    #[test]
    fn any_tokens(document in tokens()) {
        try_all(&document, None, "a");
    }

    #[test]
    fn mangled_documents(
        bytes in prop::collection::vec(any::<u8>(), 0..120),
        cut in any::<prop::sample::Index>(),
        length in 0_usize..12,
        with in tokens(),
    ) {
        let operation = query(&bytes, false);
        let mut document: Vec<char> = operation.document.chars().collect();
        let from = cut.index(document.len());
        let to = (from + length).min(document.len());
        document.splice(from..to, with.chars().take(9));
        let document: String = document.into_iter().collect();
        try_all(&document, operation.operation_name.as_deref(), "a");
    }

    #[test]
    fn aliases_are_always_names(id in any::<String>(), index in any::<usize>()) {
        let name = alias(&id, index);
        prop_assert!(apollo_compiler::Name::new(&name).is_ok(), "{name}");
        prop_assert!(!name.starts_with("__"), "{name}");
    }

    #[test]
    fn aliases_of_different_steps_differ(one in ".{0,6}", other in ".{0,6}", first in 0_usize..30, second in 0_usize..30) {
        prop_assume!(first != second);
        prop_assert_ne!(alias(&one, first), alias(&other, second));
    }
}
