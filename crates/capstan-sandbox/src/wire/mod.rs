//! What is said between a sandbox and its workers: frames of bytes, each with its length before it.
//!
//! JSON travels as text inside of frames, so that nobody parses what another is going to parse.

mod codec;
mod messages;
#[cfg(test)]
mod tests;

pub(crate) use codec::{Bytes, Frame, HEADER, frame_length};
pub(crate) use messages::{
    CallMade, Ended, ErrorSaid, LEVELS, MOST_WARNINGS, Order, Read, ReplySaid, Report, Root,
    RunOrder, Verdict, Waiting,
};
