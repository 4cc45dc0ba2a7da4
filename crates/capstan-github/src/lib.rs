//! The three ways to reach GitHub: GraphQL and REST over one pooled HTTP client, and `gh`.
//!
//! Each sends exactly the request it is given, once, and says what came of it in the words of
//! the error taxonomy. This crate must not know cards, retries or fallbacks: deciding whether
//! to try again, or another way, is the engine's business.

mod classify;
mod client;
mod endpoint;
mod gh;
mod graphql;
mod host;
mod message;
mod redact;
mod reply;
mod rest;
mod token;
mod token_facts;

pub use client::HttpClient;
pub use endpoint::{Endpoint, EndpointError, address};
pub use gh::{GhAdapter, GhConfig, find_program, gh_token, gh_version};
pub use graphql::GraphqlAdapter;
pub use host::GithubHost;
pub use rest::RestAdapter;
pub use token::TokenSource;
