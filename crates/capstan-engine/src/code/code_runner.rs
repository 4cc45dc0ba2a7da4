//! The runner of code.

use crate::capability::Directory;
use crate::chain_runner::ChainRunner;
use crate::recording::Recording;
use crate::shared::Shared;

/// Runs code. Holds the parts of the engine that this needs; the methods are in the other files of this module.
#[derive(Clone, Copy)]
pub(crate) struct CodeRunner<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) directory: &'a Directory,
    pub(crate) recording: &'a Recording,
    pub(crate) chains: &'a dyn ChainRunner,
}
