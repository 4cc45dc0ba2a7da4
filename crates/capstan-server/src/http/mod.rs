//! The HTTP API: relations, the graph and search as JSON. Each resource has a file of its own.

mod access;
mod blocking;
mod body;
mod capabilities;
mod connection_limit;
mod dependencies;
mod error;
mod etag;
mod finish;
mod graph;
mod health;
mod if_match;
mod index;
mod listen;
mod path;
mod query;
mod relation_json;
mod response;
mod router;
mod search;
mod service;
mod socket;
mod state;

pub use access::{AccessOptions, TokenRequired};
pub use listen::{HttpListener, ListenError, listen};
