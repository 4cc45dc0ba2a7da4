//! A process is killed while it writes: what it acknowledged is stored exactly once.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use capstan_core::port::{CodeFilter, Store as _};
use capstan_store::SqliteStore;
use futures_executor::block_on;

use super::children::{ChildProcess, parent_arguments, send_message};
use crate::contract::{ann, fqdn, hash, new, used};

const AT_ONCE: usize = 32;
const KILLED_AFTER: usize = 150;

/// Registers new code and uses existing code until it is killed.
#[test]
#[ignore = "done by a process that another test kills"]
fn writes_until_it_is_killed() {
    let Some((file, round)) = parent_arguments() else {
        return;
    };
    let store = SqliteStore::new(file);
    let next = AtomicUsize::new(0);
    std::thread::scope(|threads| {
        for _ in 0..AT_ONCE {
            threads.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let beginning = format!("{round}{number:07}");
                    let made = block_on(store.register(new(&beginning))).unwrap();
                    send_message(made.pattern.hash.short(8));
                    let shared = fqdn("local.default.issue.exec_ffffffff.ffff");
                    block_on(store.record_use(&shared, used(true, 1.0, 1))).unwrap();
                    send_message("used");
                }
            });
        }
    });
}

#[test]
fn what_was_acknowledged_is_there_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    block_on(SqliteStore::new(file.clone()).register(new("ffffffff"))).unwrap();

    let mut registered = BTreeSet::new();
    let mut uses = 0;
    for round in 0..4 {
        let test = "sqlite::kill::writes_until_it_is_killed";
        let mut process = ChildProcess::start(test, &file, &round.to_string());
        for heard in 0.. {
            if heard == KILLED_AFTER {
                process.kill();
            }
            // What it printed before it was killed still arrives.
            match process.next_message().as_deref() {
                Some("used") => uses += 1,
                Some(code) => assert!(registered.insert(code.to_owned()), "{code} twice"),
                None => break,
            }
        }
        assert!(!process.wait());

        let store = SqliteStore::new(file.clone());
        let all = block_on(store.list(&ann(), &CodeFilter::default())).unwrap();
        let there: BTreeSet<_> = all
            .iter()
            .map(|it| it.pattern.hash.short(8).to_owned())
            .collect();
        assert_eq!(all.len(), there.len());
        let lost: Vec<_> = registered.difference(&there).collect();
        assert!(lost.is_empty(), "{lost:?}");
        for made in &all {
            let count = made.record.statistics.usage_count;
            if made.pattern.hash == hash("ffffffff") {
                assert!(count > uses, "{count} of {uses}");
            } else {
                assert_eq!(count, 1);
            }
        }
    }
    assert!(
        registered.len() >= 4 * KILLED_AFTER / 4,
        "{}",
        registered.len()
    );
}
