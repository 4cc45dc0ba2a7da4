//! Tests of the public interface of the graph and of learning.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod changes;
mod learn;
mod oracle;
mod plan;
mod questions;
mod related;
mod samples;
mod snapshot;
