//! Tests of both servers from the outside: raw lines and bytes in, raw lines and bytes out.

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
mod http;
mod progress;
mod protocol;
mod roots;
mod skills;
mod tools;
