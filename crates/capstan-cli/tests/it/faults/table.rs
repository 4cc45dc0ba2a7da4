//! Tables of expectations as text, and cells that run side by side.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use capstan_core::Route;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::support::Bench;

/// Cells that run at once; hanging ones hardly do anything.
const AT_ONCE: usize = 6;
const HANGING_AT_ONCE: usize = 16;

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

/// Runs cells side by side and gives what came of them, in their order. Those that wait for time to
/// run out go last and by themselves, so that a busy machine does not run out of it for others.
pub(crate) async fn run_all<C, F>(
    cells: Vec<(String, bool, C)>,
    run: impl Fn(C) -> F,
) -> Vec<(String, String)>
where
    F: Future<Output = String> + Send + 'static,
{
    warm_up().await;
    let mut seen = BTreeMap::new();
    let (hanging, prompt): (Vec<_>, Vec<_>) = cells
        .into_iter()
        .enumerate()
        .partition(|(_, (_, hangs, _))| *hangs);
    for (group, at_once) in [(prompt, AT_ONCE), (hanging, HANGING_AT_ONCE)] {
        let slots = Arc::new(Semaphore::new(at_once));
        let mut running = JoinSet::new();
        for (place, (name, _, cell)) in group {
            let slots = Arc::clone(&slots);
            let ran = run(cell);
            running.spawn(async move {
                let _slot = slots.acquire_owned().await.unwrap();
                (place, name, ran.await)
            });
        }
        while let Some(ran) = running.join_next().await {
            let (place, name, ran) = ran.unwrap();
            seen.insert(place, (name, ran));
        }
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
