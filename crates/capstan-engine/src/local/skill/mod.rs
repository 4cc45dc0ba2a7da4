//! Making skills.

pub(super) mod draft;
mod observed;
