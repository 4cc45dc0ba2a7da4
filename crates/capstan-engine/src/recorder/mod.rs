//! Records what one execution does, as it happens.

mod calls;
mod context;
mod progress;
mod recorder_state;
mod summary;
#[cfg(test)]
mod tests;
mod trace;
mod writes;

pub(crate) use calls::{CallOutput, NewCall};
pub(crate) use context::CallContext;
pub(crate) use recorder_state::Recorder;
pub(crate) use trace::TraceSubject;
