//! How much travels in one request.

/// What one GraphQL request may hold; what is more goes into the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkLimits {
    pub reads: usize,
    /// GitHub runs mutations one after the other and gives up on a request after ten seconds; those
    /// that it had finished by then stay.
    pub writes: usize,
    /// GitHub refuses requests that could answer with more nodes.
    pub nodes: u64,
    /// Of document and variables together.
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
