//! Tests of the graph algorithms: against NetworkX, by their laws, and on hard graphs.

#![expect(
    clippy::expect_used,
    reason = "a helper of a test fails the test by panicking"
)]

mod examples;
mod hostile;
mod laws;
mod networkx;
mod samples;
