//! The errors of the crate.

use thiserror::Error;

/// The error for a vector of the wrong length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a vector has {given} numbers, but those of the index have {wanted}: make it with the index's model"
)]
pub struct VectorError {
    pub wanted: usize,
    pub given: usize,
}

/// The error for bytes that are not a snapshot of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SnapshotError {
    #[error("this is not a search index; build it again")]
    Foreign,
    #[error("this search index has format {0}, which this version does not read; build it again")]
    Version(u32),
    #[error("this search index is cut off or damaged; build it again")]
    Damaged,
}
