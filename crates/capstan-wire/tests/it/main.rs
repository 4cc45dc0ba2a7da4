//! Chains as callers write them: what is read, and where a mistake is.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod chains;
mod mistakes;
