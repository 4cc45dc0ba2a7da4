//! What can go wrong.

use thiserror::Error;

/// A vector that does not belong to the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a vector has {given} numbers, and those of the index have {wanted}: make it with the index's model"
)]
pub struct VectorError {
    pub wanted: usize,
    pub given: usize,
}

/// Bytes that are no snapshot of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SnapshotError {
    #[error("this is not a search index; build it again")]
    Foreign,
    #[error("this search index has format {0}, which this version does not read; build it again")]
    Version(u32),
    #[error("this search index is cut off or damaged; build it again")]
    Damaged,
}
