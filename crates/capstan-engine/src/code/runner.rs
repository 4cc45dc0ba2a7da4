//! What running code needs.

use crate::capability::Directory;
use crate::chain_runner::ChainRunner;
use crate::recording::Recording;
use crate::shared::Shared;

#[derive(Clone, Copy)]
pub(crate) struct CodeRunner<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) directory: &'a Directory,
    pub(crate) recording: &'a Recording,
    pub(crate) chains: &'a dyn ChainRunner,
}
