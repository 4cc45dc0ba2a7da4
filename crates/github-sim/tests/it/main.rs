//! Integration tests: use the simulator over HTTP, in process and with the real `gh`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod agree;
mod batches;
mod client;
mod documented;
mod faults;
mod gh;
mod graphql;
mod http;
mod rest;
