//! Outlines of GraphQL operations: how they become cards with documents.

mod answer;
mod document;
mod expand;
mod lookup;
mod place;
mod selection;

pub use answer::camel_case;
pub use expand::snake_case;
pub(super) use expand::{expand, is_graphql};
