//! Tables of expectations as text, and cells that run side by side.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use capstan_core::Route;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::support::Bench;

/// Cells that run at once: much of their time is spent waiting.
const AT_ONCE: usize = 8;

/// Rows of the form `cell | what comes of it`; `#` starts a remark.
#[derive(Debug)]
pub(crate) struct Table(Vec<(String, String)>);

impl Table {
    pub(crate) fn parse(text: &str) -> Self {
        let rows = text.lines();
        let rows = rows.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self(
            rows.map(|line| {
                let (cell, seen) = line.split_once('|').expect("a row has a `|`");
                (tidy(cell), tidy(seen))
            })
            .collect(),
        )
    }

    /// Fails unless there is exactly one row for each cell, and no other.
    pub(crate) fn covers(&self, cells: impl Iterator<Item = String>) {
        let cells: Vec<String> = cells.map(|cell| tidy(&cell)).collect();
        let rows: Vec<&String> = self.0.iter().map(|(cell, _)| cell).collect();
        let missing: Vec<_> = cells.iter().filter(|cell| !rows.contains(cell)).collect();
        let unknown: Vec<_> = rows.iter().filter(|row| !cells.contains(row)).collect();
        assert!(missing.is_empty(), "cells without a row: {missing:#?}");
        assert!(unknown.is_empty(), "rows without a cell: {unknown:#?}");
        assert_eq!(rows.len(), cells.len(), "a cell has two rows");
    }

    /// Fails with every row that differs.
    pub(crate) fn compare(&self, seen: Vec<(String, String)>) {
        let rows: BTreeMap<&str, &str> = self
            .0
            .iter()
            .map(|(cell, seen)| (cell.as_str(), seen.as_str()))
            .collect();
        let wrong: Vec<String> = seen
            .into_iter()
            .filter_map(|(cell, seen)| {
                let expected = rows.get(tidy(&cell).as_str()).unwrap_or(&"nothing");
                (tidy(&seen) != *expected)
                    .then(|| format!("{cell} | {seen}    (the table says: {expected})"))
            })
            .collect();
        assert!(
            wrong.is_empty(),
            "{} cells differ:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }
}

/// A cell to run: its name, whether it waits for time to run out, and itself.
pub(crate) type Named<C> = (String, bool, C);

/// Runs cells side by side, each prepared first, and gives what came of them in their order. Those
/// that wait for time to run out go last and are prepared before any of them starts, so that none
/// of their time is spent on anything else.
pub(crate) async fn run_all<C, P, Preparing, Running>(
    cells: Vec<Named<C>>,
    prepare: impl Fn(C) -> Preparing,
    run: impl Fn(P) -> Running + Copy + Send + Sync + 'static,
) -> Vec<(String, String)>
where
    P: Send + 'static,
    Preparing: Future<Output = P> + Send + 'static,
    Running: Future<Output = String> + Send + 'static,
{
    warm_up().await;
    let slots = Arc::new(Semaphore::new(AT_ONCE));
    let mut running = JoinSet::new();
    let mut seen = BTreeMap::new();
    let (hanging, prompt): (Vec<_>, Vec<_>) = cells
        .into_iter()
        .enumerate()
        .partition(|(_, (_, hangs, _))| *hangs);
    for (place, (name, _, cell)) in prompt {
        let slots = Arc::clone(&slots);
        let prepared = prepare(cell);
        running.spawn(async move {
            let _slot = slots.acquire_owned().await.unwrap();
            let prepared = prepared.await;
            (place, name, run(prepared).await)
        });
    }
    while let Some(ran) = running.join_next().await {
        let (place, name, ran) = ran.unwrap();
        seen.insert(place, (name, ran));
    }
    let mut ready = Vec::new();
    for (place, (name, _, cell)) in hanging {
        ready.push((place, name, prepare(cell).await));
    }
    for (place, name, prepared) in ready {
        let slots = Arc::clone(&slots);
        running.spawn(async move {
            let _slot = slots.acquire_owned().await.unwrap();
            (place, name, run(prepared).await)
        });
    }
    while let Some(ran) = running.join_next().await {
        let (place, name, ran) = ran.unwrap();
        seen.insert(place, (name, ran));
    }
    seen.into_values().collect()
}

/// The simulator reads its schema when it is first asked, which takes longer than a short deadline.
async fn warm_up() {
    let input = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
    let bench = Bench::demo().await;
    assert!(bench.run_on(Route::Graphql, "issue.view", &input).await.ok);
}

fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
