//! Reduces answers that no card describes: to the fields that a caller chose, and to a size that can be read.

mod bound;
mod project;

pub(crate) use bound::bound;
pub(crate) use project::project;
