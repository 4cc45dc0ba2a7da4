//! Diffs: the files with their counts first, and hunks on request.

mod parse;
mod reduce;

pub use reduce::reduce_diff;
