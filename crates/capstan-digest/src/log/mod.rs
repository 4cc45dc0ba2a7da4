//! Logs of workflow jobs: which steps failed, and the lines that say why.

mod clean;
mod compose;
mod gather;
mod layout;
mod scan;
mod signs;
mod summary;

pub(crate) use clean::cleaned;
pub(crate) use layout::is_job;
pub(crate) use summary::{digest_archive, digest_entry, digest_log};
