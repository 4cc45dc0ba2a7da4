//! GitHub's GraphQL API on a [`World`](crate::world::World).
//!
//! Executes any document that is valid against the pinned schema. Modelled fields are resolved from the world; all
//! other fields get a default value of their type.

mod absent_variables;
mod cost;
mod default;
mod errors;
mod execute;
mod field;
mod interference;
mod invalid;
mod made_up;
mod mutations;
mod null;
mod object;
mod outline;
mod page;
mod partial_error;
mod request;
mod respond;
mod root;
mod schema;
mod types;
mod value;
mod variables;

pub use execute::{GraphqlOutcome, execute};

pub(crate) use execute::execute_with;
pub(crate) use interference::{
    ErrorPath, ErrorTarget, INTERNAL_ERROR_MESSAGE, InjectedError, Interference,
};
pub(crate) use outline::Outline;
pub(crate) use partial_error::null_one_field;
pub(crate) use request::Request;
