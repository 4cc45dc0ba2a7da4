//! Integration tests of the library and the binary.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod built_in;
mod command;
mod corpus;
mod report;
mod support;
