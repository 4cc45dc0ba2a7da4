//! SQLite as a backend of the contract.

use std::sync::Arc;

use capstan_core::port::Store;
use capstan_store::SqliteStore;

use crate::contract::Backend;

/// A new file, which is gone when the backend is.
pub(crate) fn file() -> Backend {
    let folder = tempfile::tempdir().unwrap();
    Backend::new(move || {
        Arc::new(SqliteStore::new(
            folder.path().join("new").join("capstan.db"),
        ))
    })
}

/// There is one store only: what is in memory cannot be opened twice.
pub(crate) fn memory() -> Backend {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory());
    Backend::new(move || store.clone())
}
