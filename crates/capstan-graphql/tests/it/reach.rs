//! Checks that the generated documents contain what the properties in `laws` depend on.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::generate::{Operation, demo, execute, mutation, query};

/// A feature that documents should have, and in how many of a hundred at least.
type Trait = (&'static str, usize, fn(&Operation, &Value) -> bool);

const TRAITS: [Trait; 18] = [
    ("fragments", 30, |it, _| it.document.contains(" fragment ")),
    ("fragments at the root", 5, |it, _| {
        it.document.contains("on Query {")
    }),
    ("inline fragments", 20, |it, _| {
        it.document.contains("... on ")
    }),
    ("variables", 50, |it, _| it.document.contains('$')),
    ("defaults", 20, |it, _| it.document.contains(" = ")),
    ("defaults that are lists", 2, |it, _| {
        it.document.contains(" = [")
    }),
    ("defaults that are objects", 1, |it, _| {
        it.document.contains(" = {")
    }),
    ("variables in lists", 1, |it, _| it.document.contains("[$")),
    ("conditions", 30, |it, _| it.document.contains("(if: ")),
    ("conditions by variable", 10, |it, _| {
        it.document.contains("(if: $")
    }),
    ("block strings", 5, |it, _| it.document.contains("\"\"\"")),
    ("braces in strings", 5, |it, _| {
        it.document.contains(" { $x\"") || it.document.contains("query X {")
    }),
    ("anonymous operations", 10, |it, _| {
        it.operation_name.is_none()
    }),
    ("several operations", 2, |it, _| {
        it.document.contains(" Other")
    }),
    ("data", 80, |_, answer| answer["data"].is_object()),
    ("errors", 20, |_, answer| answer["errors"].is_array()),
    ("errors below the root", 2, |_, answer| {
        let errors = answer["errors"].as_array().into_iter().flatten();
        errors
            .into_iter()
            .any(|error| error["path"].as_array().is_some_and(|path| path.len() > 1))
    }),
    ("things of the world", 25, |_, answer| {
        answer["data"].to_string().len() > 150
    }),
];

#[test]
fn generated_documents_have_everything_that_is_hard_to_merge() {
    let mut runner = TestRunner::deterministic();
    let bytes = prop::collection::vec(any::<u8>(), 0..500);
    let mut counts = [0; TRAITS.len()];
    for index in 0..400 {
        let bytes = bytes.new_tree(&mut runner).unwrap().current();
        let operation = match index % 2 {
            0 => query(&bytes, false),
            _ => mutation(&bytes),
        };
        let name = operation.operation_name.as_deref();
        let variables = json!(operation.variables);
        let answer = execute(&mut demo(), &operation.document, name, &variables);
        for (count, (.., has)) in counts.iter_mut().zip(TRAITS) {
            *count += usize::from(has(&operation, &answer));
        }
    }
    let rare: Vec<String> = counts
        .iter()
        .zip(TRAITS)
        .filter(|(count, (_, least, _))| **count < least * 4)
        .map(|(count, (what, least, _))| format!("{what}: {count} of {}", least * 4))
        .collect();
    assert!(rare.is_empty(), "{rare:#?}");
}
