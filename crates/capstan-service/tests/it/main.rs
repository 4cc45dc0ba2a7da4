//! Services beside GitHub, called through the engine, against servers on loopback that know nothing of the client.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "helpers of tests fail by panicking, like tests, and take what is convenient"
)]

mod auth;
mod chains;
mod graphql;
mod paging;
mod rest;
mod server;
mod support;
