//! GitHub's GraphQL API on a [`World`](crate::world::World).
//!
//! Any document that is valid against the pinned schema executes. What is modelled answers from
//! the world; every other field answers with a default of its type.

mod absent;
mod answer;
mod cost;
mod default;
mod errors;
mod execute;
mod field;
mod interference;
mod invalid;
mod lose;
mod mutations;
mod null;
mod object;
mod outline;
mod page;
mod request;
mod respond;
mod root;
mod schema;
mod types;
mod variables;

pub use execute::{GraphqlOutcome, execute};

pub(crate) use execute::execute_with;
pub(crate) use interference::{ErrorPath, INTERNAL, Interference, Place, Planted};
pub(crate) use lose::lose_a_field;
pub(crate) use outline::Outline;
pub(crate) use request::Request;
