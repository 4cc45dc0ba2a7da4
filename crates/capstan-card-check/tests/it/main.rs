//! The checker over the built-in cards, and every rule over a card that breaks it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod breaks;
mod builtin;
mod rules;
mod support;
