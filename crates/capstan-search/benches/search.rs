//! Measures how long it takes to build an index of a hundred thousand documents, and to change,
//! write and read it.
//!
//! `cargo bench -p capstan-search --bench search`

#![expect(clippy::expect_used, reason = "a benchmark fails by panicking")]

mod catalogue;

use std::sync::LazyLock;

use capstan_search::{Document, Index, Method, Query};
use divan::{Bencher, black_box};

const DOCUMENTS: usize = 100_000;

fn main() {
    divan::main();
}

static CATALOGUE: LazyLock<(Vec<Document>, Vec<catalogue::indexed::Vectors>)> =
    LazyLock::new(|| {
        let documents = catalogue::documents(DOCUMENTS);
        let vectors = catalogue::vectors(&documents);
        (documents, vectors)
    });

static INDEX: LazyLock<Index> = LazyLock::new(|| catalogue::index(&CATALOGUE.0, &CATALOGUE.1));

#[divan::bench(sample_count = 3, sample_size = 1)]
fn build(bencher: Bencher<'_, '_>) {
    let (documents, vectors) = &*CATALOGUE;
    bencher.bench(|| catalogue::index(documents, vectors));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn to_bytes(bencher: Bencher<'_, '_>) {
    let index = &*INDEX;
    bencher.bench(|| index.to_bytes());
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn from_bytes(bencher: Bencher<'_, '_>) {
    let bytes = INDEX.to_bytes();
    bencher.bench(|| Index::from_bytes(black_box(&bytes)).expect("it was just made"));
}

#[divan::bench(sample_count = 200)]
fn put_one(bencher: Bencher<'_, '_>) {
    let mut index = INDEX.clone();
    let (documents, vectors) = &*CATALOGUE;
    let mut next = (0..DOCUMENTS).cycle().step_by(7_919);
    bencher.bench_local(move || {
        let at = next.next().unwrap_or(0);
        index.put(&documents[at], &vectors[at])
    });
}

#[divan::bench(sample_count = 500, sample_size = 1, args = [Method::Words, Method::Meaning, Method::Hybrid])]
fn search(bencher: Bencher<'_, '_>, method: Method) {
    let index = &*INDEX;
    let queries = catalogue::queries(500);
    let mut next = queries.iter().cycle();
    bencher
        .with_inputs(|| {
            let text = next.next().map_or("", String::as_str);
            let parts = index.parts(text);
            let vectors: Vec<_> = parts.iter().map(|it| catalogue::embed(it)).collect();
            (text, vectors)
        })
        .bench_local_values(|(text, vectors)| {
            let query = Query {
                text,
                vectors: &vectors,
                limit: 10,
                method,
                priors: &[],
            };
            index.search(&query, &|_, _| true)
        });
}
