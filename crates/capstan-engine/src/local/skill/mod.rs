//! `skill.*`: drafts and runs of skills.

pub(super) mod draft;
mod observed;
pub(super) mod runs;
