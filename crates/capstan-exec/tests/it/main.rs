//! Scheduling of chains: what is sent, together with what, in which order, and what becomes of it when something goes
//! wrong. No network, no files and no real time: a fake GitHub answers, and the clock jumps.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod batching;
mod blame;
mod cancel;
mod chunks;
mod deadline;
mod dropped;
mod facts;
mod fallback;
mod independent;
mod lanes;
mod levels;
mod lookups;
mod matrix;
mod observer;
mod order;
mod pauses;
mod plan;
mod random_faults;
mod random_order;
mod retry;
mod splitting;
mod support;
mod token;
mod verify;
