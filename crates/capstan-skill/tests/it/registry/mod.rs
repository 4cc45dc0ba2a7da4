//! Tests the rules of composition on generated registries, against an independent oracle.

mod breaking;
mod contracts;
mod oracle;
mod rules;
mod runner;
mod samples;

use oracle::oracle;
pub(crate) use runner::runner;
