//! Behaviour of the engine that needs no GitHub.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod skills;
mod toon;
