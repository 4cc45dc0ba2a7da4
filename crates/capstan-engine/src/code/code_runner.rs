//! The runner of code.

use crate::capability::Directory;
use crate::chain_runner::ChainRunner;
use crate::shared::Shared;
use crate::trace_log::TraceLog;

/// Runs code. Holds the parts of the engine that this needs; the methods are in the other files of this module.
#[derive(Clone, Copy)]
pub(crate) struct CodeRunner<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) directory: &'a Directory,
    pub(crate) trace_log: &'a TraceLog,
    pub(crate) chains: &'a dyn ChainRunner,
}
