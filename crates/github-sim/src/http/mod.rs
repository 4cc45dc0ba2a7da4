//! The HTTP layer: sockets, tokens, headers, the request log, faults and the control endpoint.

mod call;
mod classify;
mod connection;
mod control;
mod damage;
mod etag;
mod fault;
mod handle;
mod interference;
mod listening;
mod log;
mod rate_limit;
mod refuse;
mod response;
mod serve;
mod server;
mod storage;
mod target;

pub use fault::{Cut, Fault, FaultKind, Filter};
pub use log::{Operation, SeenRequest, Transport};
pub use server::Server;

pub(crate) use fault::PendingFaults;
pub(crate) use log::RequestLog;
pub(crate) use rate_limit::RateLimits;
pub(crate) use response::HttpResponse;
pub(crate) use server::{serve_tcp, serve_unix};
