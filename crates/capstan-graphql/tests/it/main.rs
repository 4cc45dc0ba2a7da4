//! Tests of merging, splitting and counting through the public interface.

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
