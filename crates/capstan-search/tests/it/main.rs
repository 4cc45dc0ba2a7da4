//! Tests of the public interface of the search index.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod finding;
mod laws;
mod naming;
mod snapshots;
mod support;
