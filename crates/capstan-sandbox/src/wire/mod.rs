//! The protocol between a sandbox and its workers: frames of bytes, each preceded by its length.
//!
//! JSON travels as text inside frames, so that each text is parsed only where it is used.

mod codec;
mod messages;
#[cfg(test)]
mod tests;

pub(crate) use codec::{FrameReader, FrameWriter, HEADER_BYTES, frame_length};
pub(crate) use messages::{
    CallRoot, Ended, LEVELS, MAX_WARNINGS, Order, OutgoingCall, ReadResult, Reply, Report,
    RunOrder, ThrownError, Verdict, Waiting,
};
