//! The MCP server as a client meets it: raw lines in, raw lines out.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a helper of a test fails the test by panicking"
)]

mod arguments;
mod budget;
mod cancel;
mod chains;
mod client;
mod fake;
mod hostile;
mod progress;
mod protocol;
mod skills;
mod tools;
