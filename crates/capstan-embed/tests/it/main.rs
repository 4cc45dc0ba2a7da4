//! Compares vectors and word pieces with the reference implementations, and tests endpoints with a
//! scripted server.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod built_in;
mod endpoint;
mod minilm;
mod oracle;
mod server;
