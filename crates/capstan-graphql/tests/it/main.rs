//! Tests of merging, splitting and counting as callers see them.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod answers;
mod cost;
mod documents;
mod generate;
mod hostile;
mod laws;
mod limits;
mod merge;
mod reach;
mod refusals;
mod support;
