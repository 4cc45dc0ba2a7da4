//! Integration tests of capstan-lines.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod bind;
mod candidates;
mod corrections;
mod form;
mod laws;
mod normalize;
mod options;
mod samples;
mod syntax;
mod write;
