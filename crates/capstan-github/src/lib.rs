//! The three routes to GitHub: GraphQL and REST over one pooled HTTP client, and `gh`.
//!
//! Each route sends exactly the given request, once, and reports the result in terms of the error
//! taxonomy. This crate must not know cards, retries or fallbacks: the engine decides whether to
//! try again, or on another route.

mod classify;
mod client;
mod endpoint;
mod file;
mod gh;
mod graphql;
mod host;
mod message;
mod redact;
mod remembered;
mod reply;
mod rest;
mod token;
mod token_facts;

pub use client::HttpClient;
pub use endpoint::{Endpoint, EndpointError};
pub use gh::{GhAdapter, GhConfig, find_program, gh_token, gh_version};
pub use graphql::GraphqlAdapter;
pub use host::GithubHost;
pub use rest::RestAdapter;
pub use token::TokenSource;
