//! Writes that wait for the disk share one commit.

use std::path::Path;

use capstan_core::port::{Store as _, StoreError};
use capstan_store::SqliteStore;
use futures_executor::block_on;
use futures_util::future::join_all;
use rusqlite::Connection;

use crate::contract::{fqdn, name, new};

/// Counts the commits in the log beside a database: the frames that contain the size of the
/// database.
fn commits(file: &Path) -> usize {
    let log = std::fs::read(file.with_extension("db-wal")).unwrap();
    let (header, frames) = log.split_at(32);
    let page = u32::from_be_bytes(header[8..12].try_into().unwrap());
    let salt = &header[16..24];
    let frames = frames.chunks_exact(24 + page as usize);
    let current = frames.filter(|frame| &frame[8..16] == salt);
    current.filter(|frame| frame[4..8] != [0; 4]).count()
}

#[test]
fn jobs_that_wait_are_committed_together_and_fail_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let store = SqliteStore::new(file.clone());
    let first = block_on(store.register(new("a"))).unwrap().record.fqdn;

    // Nothing can be committed while another connection writes.
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let before = commits(&file);
    let missing = fqdn("local.default.issue.exec_x.x");
    let runs: Vec<_> = (0..100)
        .map(|number| store.register(new(&format!("b{number:03}"))))
        .collect();
    let [free, taken] = ["y", "unnamed_b0000000"].map(name);
    let fails = store.rename(&missing, &free, 1);
    let works = store.rename(&first, &free, 1);
    let conflicts = store.rename(&first, &taken, 1);
    other.execute_batch("COMMIT").unwrap();

    for made in block_on(join_all(runs)) {
        made.unwrap();
    }
    assert_eq!(
        block_on(fails),
        Err(StoreError::NotFound(missing.to_string()))
    );
    assert_eq!(block_on(works).unwrap().name, free);
    assert!(matches!(
        block_on(conflicts),
        Err(StoreError::NameTaken { .. })
    ));
    let commits = commits(&file) - before;
    assert!((1..=2).contains(&commits), "{commits} commits");
}
