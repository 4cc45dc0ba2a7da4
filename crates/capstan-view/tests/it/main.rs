//! Results as a model reads them.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod chains;
mod code;
mod failures;
mod lists;
mod objects;
mod properties;
mod samples;
mod tokens;
mod writes;
