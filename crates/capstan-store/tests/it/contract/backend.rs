//! A database for one test.

use std::sync::Arc;

use capstan_core::port::Store;
use futures_executor::block_on;

/// A database on which stores can be opened.
pub(crate) struct Backend {
    open: Box<dyn Fn() -> Arc<dyn Store>>,
}

impl Backend {
    /// Every store that `open` returns sees the same data, and nothing of other backends.
    pub(crate) fn new(open: impl Fn() -> Arc<dyn Store> + 'static) -> Self {
        Self {
            open: Box::new(open),
        }
    }

    /// Opens another store on the same data, as another process would.
    pub(crate) fn open(&self) -> Arc<dyn Store> {
        (self.open)()
    }
}

pub(crate) fn run(make: fn() -> Backend, test: impl AsyncFnOnce(&Backend)) {
    block_on(test(&make()));
}
