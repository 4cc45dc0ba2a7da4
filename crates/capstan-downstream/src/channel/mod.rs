//! The connection to a running server, whatever its transport: requests with their answers, whether
//! anything was sent, and whether the server was heard.

mod client;
mod fault;
mod liveness;
mod monitored;
mod request;
mod send_flag;

pub(crate) use client::Client;
pub(crate) use fault::{FaultKind, RequestFault, TOO_LARGE};
pub(crate) use liveness::Liveness;
pub(crate) use monitored::MonitoredTransport;
pub(crate) use request::RequestChannel;
pub(crate) use send_flag::SendFlag;

/// The largest message that is read, in bytes.
pub(crate) const MAX_MESSAGE_BYTES: usize = 8 * 1024 * 1024;
