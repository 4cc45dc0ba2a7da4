//! A database for one test.

use std::sync::Arc;

use capstan_core::port::Store;
use futures_executor::block_on;

/// Something that stores can be opened on.
pub(crate) struct Backend {
    open: Box<dyn Fn() -> Arc<dyn Store>>,
}

impl Backend {
    /// What `open` gives sees the same data each time, and nothing of other backends.
    pub(crate) fn new(open: impl Fn() -> Arc<dyn Store> + 'static) -> Self {
        Self {
            open: Box::new(open),
        }
    }

    /// Another store on the same data, as another process has it.
    pub(crate) fn open(&self) -> Arc<dyn Store> {
        (self.open)()
    }
}

pub(crate) fn run(make: fn() -> Backend, test: impl AsyncFnOnce(&Backend)) {
    block_on(test(&make()));
}
