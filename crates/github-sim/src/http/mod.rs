//! The HTTP side: sockets, tokens, headers, the request log, faults and the control endpoint.

mod answer;
mod call;
mod classify;
mod connection;
mod control;
mod disturb;
mod fault;
mod handle;
mod log;
mod rate_limit;
mod refuse;
mod serve;
mod server;
mod spoil;
mod target;

pub use fault::{Cut, Fault, FaultKind, Filter};
pub use log::{Operation, SeenRequest, Transport};
pub use server::Server;

pub(crate) use answer::Answer;
pub(crate) use fault::FaultBook;
pub(crate) use log::RequestLog;
pub(crate) use rate_limit::RateLimits;
pub(crate) use server::{serve_tcp, serve_unix};
