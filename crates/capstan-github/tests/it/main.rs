//! The routes against servers and programs that misbehave in every way we know.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod connections;
mod gh;
mod misbehaviour;
mod redirects;
mod requests;
mod server;
mod support;
