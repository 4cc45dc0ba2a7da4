//! Tests the checker with the built-in cards, and every rule with a card that breaks it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod breaks;
mod builtin;
mod generated;
mod rules;
mod support;
