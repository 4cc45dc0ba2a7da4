//! The sandbox through its port, with real workers.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test fails the test by panicking"
)]

mod basics;
mod errors;
mod escapes;
mod hostile_workers;
mod like_node;
mod lockdown;
mod pages;
mod results;
mod support;
mod waiting;
mod workers;
