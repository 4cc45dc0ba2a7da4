//! Measures how long it takes to merge a hundred steps into a batch, and to split its answer.

use capstan_graphql::{
    Documents, OperationKind, Part, SingleOperation, alias, merge, split_operations,
};
use divan::{Bencher, black_box};
use serde_json::{Map, Value, json};

/// Documents of cards.
const CARDS: [&str; 8] = [
    include_str!("../../../cards/issue/list.graphql"),
    include_str!("../../../cards/issue/view.graphql"),
    include_str!("../../../cards/issue/comments.list.graphql"),
    include_str!("../../../cards/issue/create.graphql"),
    include_str!("../../../cards/pr/list.graphql"),
    include_str!("../../../cards/pr/view.graphql"),
    include_str!("../../../cards/pr/threads.list.graphql"),
    include_str!("../../../cards/repo/view.graphql"),
];

fn main() {
    divan::main();
}

/// Queries in the form that the engine has: split out of their files, with values for their
/// variables.
struct Steps {
    queries: Vec<SingleOperation>,
    values: Vec<Map<String, Value>>,
    aliases: Vec<String>,
}

impl Steps {
    #[expect(
        clippy::expect_used,
        reason = "the cards are proven by their own tests"
    )]
    fn new(count: usize) -> Self {
        let cards = CARDS
            .iter()
            .flat_map(|card| split_operations(card).expect("a valid card"));
        let queries: Vec<SingleOperation> = cards
            .filter(|single| single.kind == OperationKind::Query)
            .take(10)
            .collect();
        let values = queries.iter().map(|query| {
            let value = |name: &String| (name.clone(), json!("something of usual length"));
            query.variables.iter().map(value).collect()
        });
        Self {
            values: values.collect(),
            aliases: (0..count).map(|index| alias("issue.view", index)).collect(),
            queries,
        }
    }

    fn parts(&self) -> Vec<Part<'_>> {
        let queries = self.queries.iter().zip(&self.values).cycle();
        let steps = self.aliases.iter().zip(queries);
        steps
            .map(|(alias, (query, variables))| Part {
                alias,
                document: &query.text,
                operation_name: query.name.as_deref(),
                variables,
            })
            .collect()
    }
}

#[divan::bench(args = [1, 20, 100, 500])]
fn build(bencher: Bencher<'_, '_>, count: usize) {
    let steps = Steps::new(count);
    let parts = steps.parts();
    bencher.bench(|| merge(black_box(&parts)));
}

#[divan::bench(args = [100])]
fn build_from_one_document(bencher: Bencher<'_, '_>, count: usize) {
    let mut steps = Steps::new(count);
    steps.queries.truncate(1);
    let parts = steps.parts();
    bencher.bench(|| merge(black_box(&parts)));
}

#[divan::bench(args = [100])]
fn build_from_known_documents(bencher: Bencher<'_, '_>, count: usize) {
    let steps = Steps::new(count);
    let parts = steps.parts();
    let mut documents = Documents::default();
    bencher.bench_local(|| documents.merge(black_box(&parts)));
}

#[divan::bench(args = [100])]
#[expect(clippy::expect_used, reason = "what is measured must work")]
fn split(bencher: Bencher<'_, '_>, count: usize) {
    let steps = Steps::new(count);
    let batch = merge(&steps.parts()).expect("a batch");
    let issue = json!({ "issue": { "id": "I_1", "title": "text", "labels": { "nodes": [] } } });
    let keys = steps.aliases.iter().cloned();
    let data: Map<String, Value> = keys.map(|key| (key, issue.clone())).collect();
    bencher
        .with_inputs(|| data.clone())
        .bench_values(|data| batch.split(black_box(data)));
}

#[divan::bench]
#[expect(clippy::expect_used, reason = "what is measured must work")]
fn count_nodes(bencher: Bencher<'_, '_>) {
    let steps = Steps::new(1);
    let query = &steps.queries[0];
    bencher.bench(|| {
        capstan_graphql::count_nodes(
            black_box(&query.text),
            query.name.as_deref(),
            &steps.values[0],
        )
        .expect("a count")
    });
}
