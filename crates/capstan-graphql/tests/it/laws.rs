//! Properties of all operations that GitHub's schema allows.

use std::collections::HashSet;

use apollo_compiler::ast::{Definition, Document};
use capstan_graphql::{Batch, Part, count_nodes, merge};
use github_sim::world::World;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::generate::{Operation, demo, execute, mutation, query};
use crate::support::{assert_valid, config};

/// The decisions from the bytes of one document.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..500)
}

fn queries() -> impl Strategy<Value = Vec<(Operation, &'static str)>> {
    let query = bytes().prop_map(|bytes| query(&bytes, false));
    prop::collection::vec((query, aliases()), 1..=6)
}

fn mutations() -> impl Strategy<Value = Vec<(Operation, &'static str)>> {
    let mutation = bytes().prop_map(|bytes| mutation(&bytes));
    prop::collection::vec((mutation, aliases()), 1..=6)
}

/// Aliases that collide with each other, and with names in the documents.
fn aliases() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a", "a_0", "a_0_a", "F", "query", "a_viewer", "step_1",
    ])
}

fn merged(operations: &[(Operation, &str)]) -> Batch {
    let parts = operations.iter().map(|(operation, alias)| Part {
        alias,
        document: &operation.document,
        operation_name: operation.operation_name.as_deref(),
        variables: &operation.variables,
    });
    let parts: Vec<Part<'_>> = parts.collect();
    let batch = merge(&parts).unwrap();
    assert_eq!(merge(&parts).unwrap(), batch);
    batch
}

/// Sends the operations one after the other.
fn each_alone(world: &mut World, operations: &[(Operation, &str)]) -> Vec<Answer> {
    let answers = operations.iter().map(|(operation, _)| {
        assert_valid(&operation.document);
        let name = operation.operation_name.as_deref();
        let variables = json!(operation.variables);
        Answer::new(execute(world, &operation.document, name, &variables))
    });
    answers.collect()
}

fn together(world: &mut World, batch: &Batch) -> Answer {
    let name = Some(batch.operation_name.as_str());
    Answer::new(execute(
        world,
        &batch.document,
        name,
        &json!(batch.variables),
    ))
}

/// The whole answer to a request.
struct Answer {
    /// `None` if an error made all of it null.
    data: Option<Map<String, Value>>,
    errors: Vec<Value>,
}

impl Answer {
    fn new(mut answer: Value) -> Self {
        assert!(
            answer.get("data").is_some(),
            "the request was refused: {answer}"
        );
        Self {
            data: answer["data"].as_object().cloned(),
            errors: answer["errors"]
                .as_array_mut()
                .map(std::mem::take)
                .unwrap_or_default(),
        }
    }
}

/// Returns an error as text to compare, without the locations in the document.
fn told(error: &Value, path: &[String]) -> String {
    json!([error["type"], error["message"], path]).to_string()
}

fn path(error: &Value) -> Vec<String> {
    let segments = error["path"].as_array().unwrap().iter();
    let text = |segment: &Value| match segment {
        Value::String(name) => name.clone(),
        other => other.to_string(),
    };
    segments.map(text).collect()
}

/// Checks that the batch's answer gives each part what it received alone.
fn assert_same(batch: &Batch, together: Answer, alone: Vec<Answer>) {
    let mut owned: Vec<Vec<String>> = alone.iter().map(|_| Vec::new()).collect();
    for error in &together.errors {
        let (part, path) = batch.owner(&path(error)).unwrap();
        owned[part].push(told(error, &path));
    }
    let parts = together.data.map(|data| batch.split(data));
    for (index, mut alone) in alone.into_iter().enumerate() {
        let mut errors: Vec<String> = alone
            .errors
            .iter()
            .map(|error| told(error, &path(error)))
            .collect();
        let owned = &mut owned[index];
        match (&parts, alone.data.take()) {
            (Some(parts), Some(data)) => {
                assert_eq!(parts[index], data);
                owned.sort_unstable();
                errors.sort_unstable();
                assert_eq!(*owned, errors);
            }
            // If a non-null field fails, the whole batch is null, and it may end there.
            (None, _) => {
                for error in owned {
                    assert!(errors.contains(error), "{error} is not one of {errors:?}");
                }
            }
            (Some(_), None) => panic!("there is data although part {index} alone has none"),
        }
    }
}

/// Checks that names are defined once and used, and that nothing else is left.
fn assert_tidy(batch: &Batch) {
    let document = Document::parse(&batch.document, "batch").unwrap();
    let mut variables = HashSet::new();
    let mut fragments = HashSet::new();
    for definition in &document.definitions {
        match definition {
            Definition::OperationDefinition(operation) => {
                assert_eq!(
                    operation.name.as_ref().unwrap().as_str(),
                    batch.operation_name
                );
                for variable in &operation.variables {
                    assert!(
                        variables.insert(variable.name.to_string()),
                        "{variable} twice"
                    );
                }
            }
            Definition::FragmentDefinition(fragment) => {
                assert!(
                    fragments.insert(fragment.name.to_string()),
                    "{fragment} twice"
                );
            }
            _ => panic!("{definition}"),
        }
    }
    for name in batch.variables.keys() {
        assert!(variables.contains(name), "there is no variable {name}");
    }
    // Validation checks that all of them are used.
    assert_valid(&batch.document);
    assert_eq!(document.serialize().no_indent().to_string(), batch.document);
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn queries_together_answer_as_each_alone(operations in queries()) {
        let batch = merged(&operations);
        assert_tidy(&batch);
        let mut world = demo();
        let alone = each_alone(&mut world, &operations);
        assert_same(&batch, together(&mut world, &batch), alone);
    }

    #[test]
    fn mutations_together_do_and_answer_as_one_after_the_other(operations in mutations()) {
        let batch = merged(&operations);
        assert_tidy(&batch);
        let mut world = demo();
        let alone = each_alone(&mut world, &operations);
        let mut other = demo();
        assert_same(&batch, together(&mut other, &batch), alone);
        assert!(world == other, "the worlds differ");
    }

    #[test]
    fn nodes_are_what_the_server_counts(bytes in bytes()) {
        let operation = query(&bytes, true);
        let name = operation.operation_name.as_deref();
        let counted = count_nodes(&operation.document, name, &operation.variables).unwrap();
        let answer = execute(&mut demo(), &operation.document, name, &json!(operation.variables));
        if let Some(server) = answer["data"]["counted"]["nodeCount"].as_u64() {
            if operation.is_sized {
                assert_eq!(counted, server);
            } else {
                assert!(counted >= server);
            }
        }
    }

    #[test]
    fn a_batch_costs_what_its_parts_cost(operations in queries()) {
        let batch = merged(&operations);
        let parts = operations.iter().map(|(operation, _)| {
            let name = operation.operation_name.as_deref();
            count_nodes(&operation.document, name, &operation.variables).unwrap()
        });
        assert_eq!(count_nodes(&batch.document, None, &batch.variables), Ok(parts.sum()));
    }
}
