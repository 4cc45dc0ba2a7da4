//! Measures how long embedding takes, compared with `model2vec-rs` on the same model.
//!
//! `cargo bench -p capstan-embed`. If `CAPSTAN_MINILM` is the path of the folder of
//! all-MiniLM-L6-v2, that model is measured too.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark fails by panicking, like tests"
)]

use std::path::{Path, PathBuf};

use capstan_core::port::Embedder as _;
use capstan_embed::{MiniLm, StaticModel};
use divan::{Bencher, black_box};
use model2vec_rs::model::StaticModel as Model2Vec;

const QUERY: &str = "which pull requests wait for my review";

fn main() {
    divan::main();
}

/// Creates the model and embeds the first query.
#[divan::bench]
fn first_query() -> Vec<f32> {
    StaticModel::built_in().embed(black_box(QUERY))
}

#[divan::bench]
fn query(bencher: Bencher<'_, '_>) {
    let model = StaticModel::built_in();
    bencher.bench(|| model.embed(black_box(QUERY)));
}

#[divan::bench]
fn thousand_cards(bencher: Bencher<'_, '_>) {
    let (model, cards) = (StaticModel::built_in(), cards(1_000));
    bencher.bench(|| -> Vec<_> { cards.iter().map(|card| model.embed(card)).collect() });
}

#[divan::bench]
fn longest_text(bencher: Bencher<'_, '_>) {
    let (model, text) = (StaticModel::built_in(), cards(1_000).concat());
    bencher.bench(|| model.embed(black_box(&text)));
}

#[divan::bench(sample_count = 10)]
fn model2vec_first_query() -> Vec<f32> {
    model2vec().encode_single(black_box(QUERY))
}

#[divan::bench]
fn model2vec_query(bencher: Bencher<'_, '_>) {
    let model = model2vec();
    bencher.bench(|| model.encode_single(black_box(QUERY)));
}

#[divan::bench]
fn model2vec_thousand_cards(bencher: Bencher<'_, '_>) {
    let (model, cards) = (model2vec(), cards(1_000));
    bencher.bench(|| -> Vec<_> { cards.iter().map(|card| model.encode_single(card)).collect() });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn minilm_first_query(bencher: Bencher<'_, '_>) {
    let (Some(folder), runtime) = (minilm(), runtime()) else {
        return;
    };
    let texts = [QUERY.to_owned()];
    bencher.bench_local(|| {
        runtime
            .block_on(MiniLm::new(&folder).embed(&texts))
            .unwrap()
    });
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn minilm_query(bencher: Bencher<'_, '_>) {
    let (Some(folder), runtime) = (minilm(), runtime()) else {
        return;
    };
    let (model, texts) = (MiniLm::new(folder), [QUERY.to_owned()]);
    runtime.block_on(model.embed(&texts)).unwrap();
    bencher.bench_local(|| runtime.block_on(model.embed(&texts)).unwrap());
}

#[divan::bench(args = [1, 32], sample_count = 10, sample_size = 1)]
fn minilm_cards(bencher: Bencher<'_, '_>, number: usize) {
    let (Some(folder), runtime) = (minilm(), runtime()) else {
        return;
    };
    let (model, texts) = (MiniLm::new(folder), cards(number));
    runtime.block_on(model.embed(&texts)).unwrap();
    bencher.bench_local(|| runtime.block_on(model.embed(&texts)).unwrap());
}

fn cards(number: usize) -> Vec<String> {
    let actions = [
        "close", "list", "create", "merge", "review", "delete", "show",
    ];
    let things = [
        "issue",
        "pull request",
        "release",
        "branch",
        "workflow run",
        "label",
    ];
    let card = |n: usize| {
        let (action, thing) = (actions[n % actions.len()], things[n / 7 % things.len()]);
        format!(
            "{thing}.{action} {action} a {thing} of a repository; owner repo number state labels limit. \
             how do I {action} the {thing} {n}, {action} this {thing}, {thing}s that I want to {action}"
        )
    };
    (0..number).map(card).collect()
}

fn model2vec() -> Model2Vec {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../model");
    Model2Vec::from_pretrained(folder, None, None, None).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "only this benchmark needs it")]
fn minilm() -> Option<PathBuf> {
    std::env::var_os("CAPSTAN_MINILM").map(PathBuf::from)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
}
