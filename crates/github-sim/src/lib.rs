//! An offline, stateful GitHub: a world in memory, spoken to over GraphQL and REST.
//!
//! It knows nothing of its clients and shares no type with them.

// The presenters' JSON literals are long.
#![recursion_limit = "256"]

mod demo;
pub mod graphql;
mod http;
mod rest;
mod sim;
pub mod world;

pub use http::{Fault, FaultKind, Filter, Operation, SeenRequest, Server, Transport};
pub use sim::Sim;
