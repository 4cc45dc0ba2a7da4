//! Making skills.

pub(super) mod draft;
mod observed;
pub(super) mod runs;
