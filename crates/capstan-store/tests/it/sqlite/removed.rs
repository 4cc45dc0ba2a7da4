//! A file that is removed while it is open.

use capstan_core::port::{Filter, Store as _};
use capstan_store::SqliteStore;
use futures_executor::block_on;

use crate::contract::{ann, listed, new};

/// What is answered is in the file that others find, not in one that nobody can open any more.
#[cfg(unix)]
#[test]
fn what_is_acknowledged_is_where_others_find_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let store = SqliteStore::new(file.clone());
    block_on(store.register(new("a"))).unwrap();
    assert_eq!(block_on(listed(&store, &ann(), Filter::default())).len(), 1);

    for entry in folder.path().read_dir().unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    assert!(block_on(listed(&store, &ann(), Filter::default())).is_empty());
    assert!(!file.exists());
    for beginning in ["b", "c"] {
        block_on(store.register(new(beginning))).unwrap();
    }
    let expected = ["unnamed_b0000000", "unnamed_c0000000"];
    assert_eq!(
        block_on(listed(&store, &ann(), Filter::default())),
        expected
    );
    let other = SqliteStore::new(file.clone());
    assert_eq!(
        block_on(listed(&other, &ann(), Filter::default())),
        expected
    );
    drop((store, other));
    let later = SqliteStore::new(file);
    assert_eq!(
        block_on(listed(&later, &ann(), Filter::default())),
        expected
    );
}
