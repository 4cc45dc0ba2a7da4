//! Services beside GitHub: REST and GraphQL over HTTP, as the user's configuration describes them.
//!
//! Each route sends exactly the given request, and reports the result in terms of the error taxonomy. This crate must not
//! know cards, retries or fallbacks, nor where a configuration comes from.

mod classify;
mod client;
mod credential;
mod graphql;
mod paging;
mod reply;
mod rest;
mod settings;

pub use client::ServiceClient;
pub use graphql::ServiceGraphql;
pub use rest::ServiceRest;
pub use settings::{
    ClientCredentials, CredentialPlace, CredentialSource, ErrorShape, Paging, ServiceSettings,
    Variable,
};
