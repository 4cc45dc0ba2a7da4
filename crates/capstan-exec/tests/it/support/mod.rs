//! What the tests are written with: steps, faults, a fake GitHub, a clock that jumps, and words for what happened.

mod adapter;
mod bench;
mod cards;
mod clock;
pub(crate) mod document;
pub(crate) mod failures;
mod fault;
mod laws;
mod log;
mod observer;
mod plan;
mod ran;
mod request;
mod steps;
mod table;
mod world;

pub(crate) use adapter::Other;
pub(crate) use bench::{Bench, bench, refused, targets};
pub(crate) use fault::{Effect, Fault, always, once};
pub(crate) use log::text as log_text;
pub(crate) use plan::{planned_requests, sent_requests, text as plan_text};
pub(crate) use steps::*;
pub(crate) use table::{check, check_timed, labels, row};
