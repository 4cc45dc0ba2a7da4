//! The line to a running server, whatever it is made of: requests with their answers, and whether
//! anything left or was heard.

mod asking;
mod client;
mod fault;
mod letter;
mod pulse;
mod watched;

pub(crate) use asking::Line;
pub(crate) use client::Client;
pub(crate) use fault::{Fault, Kind, TOO_LARGE};
pub(crate) use letter::Letter;
pub(crate) use pulse::Pulse;
pub(crate) use watched::Watched;

/// The largest message that is read.
pub(crate) const LARGEST_MESSAGE: usize = 8 * 1024 * 1024;
