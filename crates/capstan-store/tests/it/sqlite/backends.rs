//! SQLite as a backend of the contract.

use std::sync::Arc;

use capstan_core::port::Store;
use capstan_store::SqliteStore;

use crate::contract::Backend;

/// Creates a new file, which is deleted with the backend.
pub(crate) fn file() -> Backend {
    let folder = tempfile::tempdir().unwrap();
    Backend::new(move || {
        Arc::new(SqliteStore::new(
            folder.path().join("new").join("capstan.db"),
        ))
    })
}

/// Has one store only: a database in memory cannot be opened twice.
pub(crate) fn memory() -> Backend {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    Backend::new(move || store.clone())
}
