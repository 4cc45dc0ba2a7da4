//! The pooled HTTP client that GraphQL and REST share.

mod build;
mod exchange;
mod spool;

pub use exchange::HttpClient;
pub(crate) use exchange::{Outgoing, OutgoingBody};
pub(crate) use spool::Spool;
