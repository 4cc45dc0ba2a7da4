//! A file that is removed while it is open.

use capstan_core::code::{EdgeKind, EdgeSource};
use capstan_core::port::{CodeFilter, Relations as _, Store as _};
use capstan_store::SqliteStore;
use futures_executor::block_on;

use crate::contract::{ann, card, listed, new, state};

/// A copy of the old file does not fit the new file at the same path: everything is listed again.
#[cfg(unix)]
#[test]
fn who_holds_a_copy_is_told_everything_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::new(folder.path().join("capstan.db"));
    for beginning in ["a", "b", "c"] {
        block_on(store.register(new(beginning))).unwrap();
    }
    let (a, b) = (card("a"), card("b"));
    let (kind, source) = (EdgeKind::Sequence, EdgeSource::Manual);
    block_on(state(&store, &ann(), (&a, &b), kind, source));
    let code = block_on(store.changed_code(&ann(), 0)).unwrap();
    let edges = block_on(store.changed_edges(&ann(), 0)).unwrap();
    assert_eq!((code.there.len(), edges.there.len()), (3, 1));

    for entry in folder.path().read_dir().unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    block_on(store.register(new("d"))).unwrap();
    let new_code = block_on(store.changed_code(&ann(), code.now)).unwrap();
    assert!(new_code.now < code.now);
    assert_eq!(new_code.there.len(), 1);
    let new_edges = block_on(store.changed_edges(&ann(), edges.now)).unwrap();
    assert!(new_edges.now < edges.now);
    assert_eq!(new_edges.there, []);
}

/// What is acknowledged is in the file at the path, not in a deleted one that nobody can open.
#[cfg(unix)]
#[test]
fn what_is_acknowledged_is_where_others_find_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let store = SqliteStore::new(file.clone());
    block_on(store.register(new("a"))).unwrap();
    assert_eq!(
        block_on(listed(&store, &ann(), CodeFilter::default())).len(),
        1
    );

    for entry in folder.path().read_dir().unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    assert!(block_on(listed(&store, &ann(), CodeFilter::default())).is_empty());
    assert!(!file.exists());
    for beginning in ["b", "c"] {
        block_on(store.register(new(beginning))).unwrap();
    }
    let expected = ["unnamed_b0000000", "unnamed_c0000000"];
    assert_eq!(
        block_on(listed(&store, &ann(), CodeFilter::default())),
        expected
    );
    let other = SqliteStore::new(file.clone());
    assert_eq!(
        block_on(listed(&other, &ann(), CodeFilter::default())),
        expected
    );
    drop((store, other));
    let later = SqliteStore::new(file);
    assert_eq!(
        block_on(listed(&later, &ann(), CodeFilter::default())),
        expected
    );
}
