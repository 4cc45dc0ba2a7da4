//! The pooled HTTP client that GraphQL and REST share.

mod body;
mod build;
mod exchange;
mod fault;

pub use exchange::HttpClient;
pub(crate) use exchange::Outgoing;
