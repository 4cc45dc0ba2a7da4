//! A card does the same in a chain as alone: the same data, the same error, the same world.

use capstan_catalog::Catalog;
use capstan_core::card::{Card, Operation};
use capstan_core::{ChainStep, ChainStepResult, ResultEnvelope, ResultError, Route};
use capstan_engine::ChunkLimits;
use serde_json::{Value, json};

use super::bench::Bench;
use super::steps::{assert_all_ok, exactly, retitle, view};
use super::world::{demo_world, differences, portrait};

#[tokio::test]
async fn reads_give_the_same_together_as_alone() {
    let bench = Bench::demo().await;
    let steps: Vec<_> = calls(Operation::Read);
    assert!(steps.len() > 25, "{} reads", steps.len());
    let mut alone = Vec::new();
    for step in &steps {
        alone.push(bench.run_alone(step).await);
    }
    bench.clear();
    let together = bench.run(&steps).await;
    assert_eq!(bench.counts(), (1, 0), "all in one request");
    let mut problems = Vec::new();
    for ((step, alone), result) in steps.iter().zip(&alone).zip(&together.results) {
        problems.extend(compare(step, alone, result));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let succeeded = alone.iter().filter(|it| it.ok).count();
    assert!(succeeded > 12, "only {succeeded} reads succeed");
}

#[tokio::test]
async fn writes_do_the_same_among_others_as_alone() {
    let mut bench = Bench::demo().await;
    let world = demo_world();
    let mut problems = Vec::new();
    let mut succeeded = 0;
    for step in calls(Operation::Write) {
        bench.begin_anew(&world, ChunkLimits::default());
        let alone = bench.run_alone(&step).await;
        succeeded += usize::from(alone.ok);
        // What the unrelated write does is done in both worlds; it comes last, for numbers count up.
        assert!(bench.run_alone(&unrelated()).await.ok);
        let expected = portrait(&bench.sim);

        bench.begin_anew(&world, ChunkLimits::default());
        let chain = [view(2), step.clone(), view(3), unrelated()];
        let ran = bench.run(&chain).await;
        assert!(ran.results[0].ok && ran.results[2].ok && ran.results[3].ok);
        problems.extend(compare(&step, &alone, &ran.results[1]));
        let different = differences(&expected, &portrait(&bench.sim));
        if !different.is_empty() {
            problems.push(format!(
                "{}: {}",
                step.request.capability,
                different.join("; ")
            ));
        }
        let (_, writes) = bench.counts();
        if writes > 1 {
            problems.push(format!(
                "{}: {writes} requests with writes",
                step.request.capability
            ));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(succeeded > 10, "only {succeeded} writes succeed");
}

/// Every card that there is, with its own examples, is tried.
#[tokio::test]
async fn every_card_is_tried_and_succeeds_at_least_once() {
    let mut bench = Bench::demo().await;
    let world = demo_world();
    for builtin in capstan_cards::CARDS.iter() {
        let mut examples = examples_of(builtin.id).into_iter();
        bench.begin_anew(&world, ChunkLimits::default());
        let first = examples.next().unwrap();
        let ran = bench.run(&[first, view(1)]).await;
        assert_all_ok(&ran);
    }
}

/// The examples of every card, and the same about things that are not there.
fn calls(operation: Operation) -> Vec<ChainStep> {
    let mut calls = Vec::new();
    for builtin in capstan_cards::CARDS.iter() {
        let card = card(builtin.id);
        if card.operation != operation || !card.has_route(Route::Graphql) {
            continue;
        }
        for example in examples_of(builtin.id) {
            for (name, absent) in [
                ("issue_number", json!(4711)),
                ("pr_number", json!(4711)),
                ("repo", json!("nowhere")),
                ("thread_id", json!("PRRT_nowhere")),
                ("labels", json!(["no such label"])),
                ("label", json!("no such label")),
                ("milestone", json!(99)),
                ("assignees", json!(["nobody-at-all"])),
            ] {
                let mut input = Value::Object(example.request.input.clone());
                if input.get(name).is_some() {
                    input[name] = absent;
                    calls.push(exactly(builtin.id, &input));
                }
            }
            calls.push(example);
        }
    }
    calls
}

fn examples_of(id: &str) -> Vec<ChainStep> {
    let card = card(id);
    let examples = card.examples.iter();
    examples
        .map(|example| exactly(id, &Value::Object(example.input.clone())))
        .collect()
}

fn card(id: &str) -> std::sync::Arc<Card> {
    Catalog::new(&capstan_cards::CARDS).get(id).unwrap()
}

/// What is different between a run of its own and a step.
fn compare(step: &ChainStep, alone: &ResultEnvelope, result: &ChainStepResult) -> Vec<String> {
    let told = |data: &Option<Value>, error: &Option<ResultError>, rest: Value| json!({"data": data, "error": error.clone().map(without_request_id), "rest": rest});
    let meta = &alone.meta;
    let left = json!([meta.pagination, meta.note, meta.warnings]);
    let left = told(&alone.data, &alone.error, left);
    let meta = &result.meta;
    let right = json!([meta.pagination, meta.note, meta.warnings]);
    let right = told(&result.data, &result.error, right);
    let what = format!("{} {:?}", step.request.capability, step.request.input);
    let differs = (left != right).then(|| format!("{what}:\n  alone: {left}\n  chain: {right}"));
    differs.into_iter().collect()
}

/// Every request has an id of its own.
fn without_request_id(mut error: ResultError) -> ResultError {
    error.details.shift_remove("request_id");
    error
}

fn unrelated() -> ChainStep {
    retitle(48, "Something else")
}
