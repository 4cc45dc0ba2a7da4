//! The size limits of one GraphQL request.

/// The most that one GraphQL request may hold. The rest goes into further requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkLimits {
    pub reads: usize,
    /// GitHub runs mutations one after the other and aborts a request after ten seconds. Mutations that finished before
    /// stay applied.
    pub writes: usize,
    /// GitHub refuses requests whose answers could have more nodes.
    pub nodes: u64,
    /// The size of document and variables together.
    pub bytes: usize,
}

impl Default for ChunkLimits {
    fn default() -> Self {
        Self {
            reads: 50,
            writes: 25,
            nodes: 500_000,
            bytes: 256 * 1024,
        }
    }
}
