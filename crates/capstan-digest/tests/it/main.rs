//! What readers see of files.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod archives;
mod diffs;
mod logs;
mod parts;
mod support;
