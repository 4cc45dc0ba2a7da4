//! Progress of runs of skills. Each run belongs to the viewer who began it. Only the attempt that
//! took it over last may record.

#[cfg(test)]
mod interleaving_tests;
mod ownership;
mod read;
mod record;

pub(crate) use ownership::{begin, end, take_over};
pub(crate) use read::{get, list, prune};
pub(crate) use record::record_steps;
