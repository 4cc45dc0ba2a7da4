//! Tests of reading code as callers see it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod calls;
mod errors;
mod generate;
mod hostile;
mod identity;
mod laws;
mod mentions;
mod parameters;
mod places;
mod running;
mod support;
