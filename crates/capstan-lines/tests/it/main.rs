//! Lines and inputs as others write them.

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
mod options;
mod samples;
mod settle;
mod syntax;
mod write;
