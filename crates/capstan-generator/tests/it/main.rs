//! Tests of the generator: on small descriptions, on generated ones, and on the description that is pinned.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod answers;
mod broken;
mod committed;
mod graphql;
mod inputs;
mod mutations;
mod names;
mod naming;
mod pages;
mod random;
mod service;
mod support;
mod wording;
mod writing;
