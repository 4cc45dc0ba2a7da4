//! The tools, one file each. Their definitions are what every conversation pays for, so they are
//! as short as they can be.

mod definitions;
pub(super) mod execute;
pub(super) mod explain;
pub(super) mod read;
pub(super) mod search;

pub(super) use definitions::{NAMES, definitions};
