//! The fault matrix over chains: what came of every cell, as tables. The columns are the fault, how
//! often it strikes, how the chain went, the reads and writes that arrived, how often each of the four
//! steps was carried out (`-` for reads), and what each of them says, with `!` where it may be sent again.

use tokio::task::JoinSet;

use super::cell::Cell;
use super::target::Target;

/// Cells that run at once: much of their time is spent waiting.
const AT_ONCE: usize = 12;

#[tokio::test]
async fn reads() {
    insta::assert_snapshot!(table(Target::Reads).await);
}

#[tokio::test]
async fn writes_that_can_be_verified() {
    insta::assert_snapshot!(table(Target::Close).await);
}

#[tokio::test]
async fn writes_that_cannot_be_verified() {
    insta::assert_snapshot!(table(Target::Comment).await);
}

#[tokio::test]
async fn writes_among_reads() {
    insta::assert_snapshot!(table(Target::Mixed).await);
}

#[tokio::test]
async fn reads_among_writes() {
    insta::assert_snapshot!(table(Target::MixedReads).await);
}

#[tokio::test]
async fn writes_in_two_requests() {
    insta::assert_snapshot!(table(Target::Chunks).await);
}

#[tokio::test]
async fn writes_that_nobody_can_look_at() {
    insta::assert_snapshot!(table(Target::Blind).await);
}

async fn table(target: Target) -> String {
    let mut left = Cell::all(target).into_iter().enumerate();
    let mut running = JoinSet::new();
    let mut rows = Vec::new();
    loop {
        while running.len() < AT_ONCE
            && let Some((place, cell)) = left.next()
        {
            let name = cell.to_string();
            running.spawn(async move { (place, format!("{name} {}", cell.run().await)) });
        }
        match running.join_next().await {
            Some(row) => rows.push(row.unwrap()),
            None => break,
        }
    }
    rows.sort();
    let rows: Vec<_> = rows.into_iter().map(|(_, row)| row).collect();
    rows.join("\n")
}
