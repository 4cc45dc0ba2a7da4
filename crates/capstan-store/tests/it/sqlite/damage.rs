//! Files that cannot be used are left unchanged, and the error says what to do.

use std::path::Path;

use capstan_core::port::{CodeFilter, Store as _, StoreError};
use capstan_store::SqliteStore;
use futures_executor::block_on;

use crate::contract::{ann, fqdn, new};

/// Returns the errors of a write and of reads on a file that must not be touched.
fn complaints(file: &Path) -> [String; 3] {
    let store = SqliteStore::new(file.to_owned());
    let told = |error: StoreError| match error {
        StoreError::Broken(why) => why,
        other => panic!("{other}"),
    };
    [
        told(block_on(store.register(new("0"))).unwrap_err()),
        told(block_on(store.list(&ann(), &CodeFilter::default())).unwrap_err()),
        told(block_on(store.history(&fqdn("local.default.issue.exec_0.0"))).unwrap_err()),
    ]
}

#[test]
fn what_is_no_database_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let text = "these are my notes\n".repeat(1000);
    std::fs::write(&file, &text).unwrap();
    for why in complaints(&file) {
        assert_eq!(
            why,
            format!(
                "`{}` is not a database; move it away to start a new one, or name another file",
                file.display()
            )
        );
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn a_damaged_file_is_told_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let store = SqliteStore::new(file.clone());
    for number in 0..200 {
        block_on(store.register(new(&format!("{number:03}")))).unwrap();
    }
    drop(store);

    // The header stays, so that it looks like a database.
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[4096..].fill(0xA5);
    std::fs::write(&file, &bytes).unwrap();
    for why in complaints(&file) {
        assert!(
            why.starts_with(&format!("`{}` is damaged", file.display())),
            "{why}"
        );
        assert!(
            why.contains("restore it from a copy, or move it away"),
            "{why}"
        );
    }
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[test]
fn a_file_that_was_cut_is_told_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    let store = SqliteStore::new(file.clone());
    block_on(store.register(new("a"))).unwrap();
    drop(store);
    let bytes = std::fs::read(&file).unwrap();
    let half = &bytes[..bytes.len() / 2];
    std::fs::write(&file, half).unwrap();
    for why in complaints(&file) {
        assert!(why.contains("is damaged"), "{why}");
    }
    assert_eq!(std::fs::read(&file).unwrap(), half);
}

#[test]
fn a_folder_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for why in complaints(folder.path()) {
        assert!(
            why.contains("check it, its folder and their permissions"),
            "{why}"
        );
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let in_the_way = folder.path().join("notes");
    std::fs::write(&in_the_way, "").unwrap();
    let store = SqliteStore::new(in_the_way.join("deep/capstan.db"));
    let error = block_on(store.register(new("a"))).unwrap_err().to_string();
    assert!(error.starts_with("the store cannot be used: `"), "{error}");
    assert!(
        error.contains("check the folder and its permissions"),
        "{error}"
    );
}

/// A failure is not cached.
#[test]
fn a_store_recovers_when_the_cause_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capstan.db");
    std::fs::write(&file, "these are my notes, which are longer than nothing").unwrap();
    let store = SqliteStore::new(file.clone());
    assert!(block_on(store.register(new("a"))).is_err());
    assert!(block_on(store.list(&ann(), &CodeFilter::default())).is_err());
    std::fs::rename(&file, folder.path().join("notes")).unwrap();
    block_on(store.register(new("a"))).unwrap();
    let seen = block_on(store.list(&ann(), &CodeFilter::default())).unwrap();
    assert_eq!(seen.len(), 1);
}
