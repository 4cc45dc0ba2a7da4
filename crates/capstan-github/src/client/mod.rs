//! The pooled HTTP client that GraphQL and REST share.

mod body;
mod build;
mod exchange;
mod fault;
mod gzip;
mod spool;

pub use exchange::HttpClient;
pub(crate) use exchange::Outgoing;
pub(crate) use spool::Spool;
