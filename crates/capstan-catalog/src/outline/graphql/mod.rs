//! Outlines of GraphQL operations: how they become cards with documents.

mod answer;
mod document;
mod expand;
mod lookup;
mod place;
mod result;
mod selection;
mod spelling;
#[cfg(test)]
mod tests;

pub(super) use expand::{expand, is_graphql};
pub use spelling::{camel_case, snake_case};
