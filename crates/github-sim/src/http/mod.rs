//! The HTTP side: sockets, tokens, headers, the request log, faults and the control endpoint.

mod answer;
mod classify;
mod connection;
mod control;
mod fault;
mod handle;
mod log;
mod partial;
mod rate_limit;
mod refuse;
mod server;
mod spoil;
mod target;

pub use fault::{Fault, FaultKind, Filter};
pub use log::{Operation, SeenRequest, Transport};
pub use server::Server;

pub(crate) use answer::Answer;
pub(crate) use fault::FaultBook;
pub(crate) use log::RequestLog;
pub(crate) use rate_limit::RateLimits;
pub(crate) use server::{serve_tcp, serve_unix};
