//! Integration tests of capstan-skill.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking, like tests"
)]

mod diff;
mod draft;
mod fixtures;
mod graph;
mod order;
mod ranges;
mod references;
mod registry;
mod render;
mod versions;
