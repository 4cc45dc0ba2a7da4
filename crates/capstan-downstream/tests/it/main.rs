//! Downstream servers that behave and misbehave: a fake one, an HTTP one, and a public one.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]

mod bounds;
mod calls;
mod config;
mod deaths;
mod environment;
mod everything;
mod hangs;
mod http;
mod http_server;
mod memory;
mod protocol;
mod store;
mod support;
