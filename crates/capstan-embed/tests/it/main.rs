//! Vectors and word pieces, against those who made the formats; endpoints, against a server that does
//! what a test tells it.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod built_in;
mod endpoint;
mod minilm;
mod oracle;
mod server;
