//! What every store has to do, whatever its implementation. `contract!` generates the tests for a
//! backend.

mod backend;
mod model;
mod samples;
mod suite;

pub(crate) mod changes;
pub(crate) mod concurrent;
pub(crate) mod cycles;
pub(crate) mod delete;
pub(crate) mod edges;
pub(crate) mod hidden;
pub(crate) mod import;
pub(crate) mod laws;
pub(crate) mod learn;
pub(crate) mod list;
pub(crate) mod merge;
pub(crate) mod names;
pub(crate) mod observe;
pub(crate) mod owners;
pub(crate) mod parameters;
pub(crate) mod register;
pub(crate) mod relate;
pub(crate) mod resolve;
pub(crate) mod runs;
pub(crate) mod tools;
pub(crate) mod traces;
pub(crate) mod visibility;

pub(crate) use backend::{Backend, run};
pub(crate) use samples::*;
pub(crate) use suite::contract;
