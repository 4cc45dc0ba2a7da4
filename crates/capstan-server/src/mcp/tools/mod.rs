//! The tools, one file each. Every conversation pays for their definitions, so these are as short as possible.

mod definitions;
pub(super) mod execute;
pub(super) mod explain;
pub(super) mod read;
pub(super) mod search;

pub(super) use definitions::{NAMES, definitions};
