//! Fits the weights by which search combines its signals, on the tuning half of public queries.
//!
//! `cargo run --release -p capstan-bench --example weights -- FOLDER`, where the folder has `tools.jsonl` and
//! `queries.jsonl`. Prints the weights for all sources, and for all sources but one: weights that depend on a single
//! source change a lot without it. The candidates are the results of the current weights, so run it again after a
//! large change.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "an example prints what it fitted, and fails by panicking"
)]

use std::path::PathBuf;

use capstan_bench::{Corpus, Embed as _, Part, Source};
use capstan_embed::StaticModel;
use capstan_search::{Index, Method, Query};

const SIGNALS: usize = 4;
/// The maximum number of queries per source and pool.
const QUERIES: usize = 300;
/// The number of candidate documents per query.
const CANDIDATES: usize = 150;

/// The candidate documents for one query.
struct Example {
    /// The name of the source without its pool.
    source: String,
    /// The index of the source and pool.
    row: usize,
    candidates: Vec<([f64; SIGNALS], bool)>,
}

fn main() {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    let folder = folder.expect("a folder with `tools.jsonl` and `queries.jsonl`");
    let corpus = Corpus::public(&folder).expect("readable data");
    let examples = examples(&corpus);
    println!("{} queries", examples.len());
    show("all sources", &fit(&examples.iter().collect::<Vec<_>>()));
    for source in &corpus.sources {
        let others = examples.iter().filter(|it| it.source != source.name);
        let weights = fit(&others.collect::<Vec<_>>());
        show(&format!("without {}", source.name), &weights);
    }
}

fn show(what: &str, weights: &[f64; SIGNALS]) {
    let weights = weights.map(|it| format!("{it:6.2}"));
    println!("{what:<24} {}", weights.join(" "));
}

fn examples(corpus: &Corpus) -> Vec<Example> {
    let model = StaticModel::built_in();
    let alone = corpus.sources.iter().map(|source| vec![source.clone()]);
    let mut examples = Vec::new();
    let mut row = 0;
    for pool in alone.chain(corpus.pools()) {
        let documents = pool.first().map_or(&[][..], |it| &it.documents);
        let mut index = Index::new(model.name(), model.dimension());
        for document in documents {
            let texts = document.texts();
            let vectors: Vec<_> = texts.iter().map(|text| model.embed(text)).collect();
            index.put(document, &vectors).expect("vectors of one model");
        }
        for source in &pool {
            ask(source, row, &index, &model, &mut examples);
            row += 1;
        }
    }
    examples
}

fn ask(source: &Source, row: usize, index: &Index, model: &StaticModel, to: &mut Vec<Example>) {
    let queries = source.queries.iter().filter(|it| it.part == Part::Tune);
    let queries: Vec<_> = queries.collect();
    let name = source.name.rsplit(": ").next().unwrap_or_default();
    for query in queries
        .iter()
        .step_by(queries.len().div_ceil(QUERIES).max(1))
    {
        let parts = index.parts(&query.text);
        let vectors: Vec<_> = parts.iter().map(|part| model.embed(part)).collect();
        let asked = Query {
            text: &query.text,
            vectors: &vectors,
            limit: CANDIDATES,
            method: Method::Hybrid,
            priors: &[],
        };
        let found = index
            .search(&asked, &|_, _| true)
            .expect("vectors of one model");
        let candidates = found.into_iter().filter(|it| it.why.exact.is_none());
        let candidates = candidates.map(|it| {
            let signals = it.why.signals.to_array().map(f64::from);
            (signals, query.relevant.contains(&it.key))
        });
        to.push(Example {
            source: name.to_owned(),
            row,
            candidates: candidates.collect(),
        });
    }
}

/// Returns the weights that maximize the probability of the relevant documents. All sources and pools count the same.
fn fit(examples: &[&Example]) -> [f64; SIGNALS] {
    let has_relevant = |it: &&&Example| it.candidates.iter().any(|(_, relevant)| *relevant);
    let examples: Vec<&Example> = examples.iter().filter(has_relevant).copied().collect();
    let of_row = |row: usize| examples.iter().filter(|it| it.row == row).count();
    let shares: Vec<f64> = examples
        .iter()
        .map(|it| 1.0 / of_row(it.row) as f64)
        .collect();
    let mut weights = [1.0, 1.0, 1.0, 0.0];
    let (mut likelihood, mut gradient) = likelihood(&examples, &shares, &weights);
    let mut step = 0.1;
    for _ in 0..2_000 {
        let next: [f64; SIGNALS] = std::array::from_fn(|i| weights[i] + step * gradient[i]);
        let (new, next_gradient) = self::likelihood(&examples, &shares, &next);
        if new > likelihood {
            (weights, likelihood, gradient) = (next, new, next_gradient);
            step *= 1.5;
        } else {
            step *= 0.5;
        }
    }
    weights
}

/// Returns the log-likelihood of the relevant documents, and its derivative by each weight.
fn likelihood(
    examples: &[&Example],
    shares: &[f64],
    weights: &[f64; SIGNALS],
) -> (f64, [f64; SIGNALS]) {
    let mut sum = 0.0;
    let mut gradient = [0.0; SIGNALS];
    for (example, share) in examples.iter().zip(shares) {
        let scores = example.candidates.iter().map(|(signals, _)| {
            let weighted = signals.iter().zip(weights);
            weighted
                .map(|(signal, weight)| signal * weight)
                .sum::<f64>()
        });
        let scores: Vec<f64> = scores.collect();
        let most = scores.iter().fold(f64::MIN, |most, it| most.max(*it));
        let (mut all, mut relevant) = (0.0, 0.0);
        let mut mean_of_all = [0.0; SIGNALS];
        let mut mean_of_relevant = [0.0; SIGNALS];
        for ((signals, is_relevant), score) in example.candidates.iter().zip(&scores) {
            let odds = (score - most).exp();
            all += odds;
            relevant += if *is_relevant { odds } else { 0.0 };
            for i in 0..SIGNALS {
                mean_of_all[i] += odds * signals[i];
                mean_of_relevant[i] += if *is_relevant { odds * signals[i] } else { 0.0 };
            }
        }
        sum += share * (relevant / all).ln();
        for i in 0..SIGNALS {
            gradient[i] += share * (mean_of_relevant[i] / relevant - mean_of_all[i] / all);
        }
    }
    (sum, gradient)
}
