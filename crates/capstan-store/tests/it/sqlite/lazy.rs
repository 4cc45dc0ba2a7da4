//! Nothing is opened or created before it is needed.

use std::path::Path;

use capstan_core::port::{CodeFilter, Relations as _, Store as _, TraceFilter};
use capstan_store::SqliteStore;
use futures_executor::block_on;

use crate::contract::{ann, card, code, edges_of, fqdn, listed, meaning, name, new};

#[test]
fn making_a_store_touches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a/b/capstan.db");
    drop(SqliteStore::new(file));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn reading_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a/b/capstan.db");
    let store = SqliteStore::new(file.clone());
    block_on(async {
        meaning(&store, &ann(), "x").await;
        listed(&store, &ann(), CodeFilter::default()).await;
        store
            .summaries(&ann(), &CodeFilter::default())
            .await
            .unwrap();
        let missing = fqdn("local.default.issue.exec_a.a");
        let node = code(&missing);
        assert_eq!(edges_of(&store, &ann(), &node).await, []);
        assert_eq!(store.count_edges(&ann(), &node).await, Ok(0));
        assert_eq!(store.all_edges(&ann(), None).await, Ok(vec![]));
        assert_eq!(store.edge(&ann(), &node, &card("a")).await, Ok(None));
        assert_eq!(store.changed_edges(&ann(), 0).await.unwrap().now, 0);
        assert_eq!(store.changed_code(&ann(), 0).await.unwrap().now, 0);
        assert_eq!(store.unlearned(&ann(), 9).await, Ok(vec![]));
        assert_eq!(store.unrelated(&ann(), 9).await, Ok(vec![]));
        assert_eq!(store.sharing(&ann(), &missing, 9).await, Ok(vec![]));
        store.history(&missing).await.unwrap_err();
        store.traces(&ann(), &TraceFilter::default()).await.unwrap();
        store.trace(&ann(), "a").await.unwrap();
        store.known_tools("files", "x").await.unwrap();
    });
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);

    // A file that another process creates is seen at once.
    let other = SqliteStore::new(file);
    block_on(other.register(new("a"))).unwrap();
    let seen = block_on(listed(&store, &ann(), CodeFilter::default()));
    assert_eq!(seen, ["unnamed_a0000000"]);
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a/b/capstan.db");
    let store = SqliteStore::new(file.clone());
    block_on(store.register(new("a"))).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder.path().join("a")), 0o700);
    assert_eq!(mode(&folder.path().join("a/b")), 0o700);
    for entry in folder.path().join("a/b").read_dir().unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
    assert!(file.exists());
}

/// What was started is done, although nobody awaited it.
#[test]
fn dropping_waits_for_what_was_started() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let store = SqliteStore::new(file.clone());
    let fqdn = block_on(store.register(new("a"))).unwrap().record.fqdn;
    drop(store.rename(&fqdn, &name("renamed"), 1));
    for digit in 0..9 {
        drop(store.register(new(&digit.to_string())));
    }
    drop(store);
    // Everything is in the file itself, which can be copied now.
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    let store = SqliteStore::new(file);
    let seen = block_on(listed(&store, &ann(), CodeFilter::default()));
    assert_eq!(seen.len(), 10);
    assert_eq!(seen[0], "renamed");
}

#[test]
fn a_path_that_looks_like_an_address_is_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file:x?mode=memory");
    let store = SqliteStore::new(file.clone());
    block_on(store.register(new("a"))).unwrap();
    assert!(file.exists());
}
