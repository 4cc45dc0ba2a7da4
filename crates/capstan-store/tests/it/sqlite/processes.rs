//! Several processes on one file.

use capstan_core::port::{CodeFilter, Store as _};
use capstan_store::SqliteStore;
use futures_executor::block_on;

use super::children::{ChildProcess, parent_arguments, send_message};
use crate::contract::{ann, new};

const CODES: usize = 25;
const PROCESSES: usize = 4;

#[test]
#[ignore = "done by processes that another test starts"]
fn registers() {
    let Some((file, _)) = parent_arguments() else {
        return;
    };
    let store = SqliteStore::new(file);
    for number in 0..CODES {
        block_on(store.register(new(&format!("{number:02}")))).unwrap();
    }
    send_message("done");
}

#[test]
fn all_of_them_make_one_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let start = |_| ChildProcess::start("sqlite::processes::registers", &file, "go");
    let mut processes: Vec<_> = (0..PROCESSES).map(start).collect();
    for process in &mut processes {
        assert_eq!(process.next_message().as_deref(), Some("done"));
        assert!(process.wait());
    }
    let store = SqliteStore::new(file);
    let all = block_on(store.list(&ann(), &CodeFilter::default())).unwrap();
    assert_eq!(all.len(), CODES);
    for made in all {
        assert_eq!(made.record.statistics.usage_count, PROCESSES as u64);
        let history = block_on(store.history(&made.record.fqdn)).unwrap();
        assert_eq!(history.len(), 1);
    }
}
