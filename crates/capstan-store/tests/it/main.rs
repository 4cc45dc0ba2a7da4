//! Tests of the store: what every store has to do (`contract`), and what SQLite adds to it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod contract;
mod sqlite;
