//! The generator: turns a description of a REST API, or a GraphQL schema, into outlines, the short form of cards.
//!
//! It must not know how cards are run, and it sends nothing: it reads a description and rules, and writes files.

mod build;
mod catalogue;
mod description;
mod drift;
mod graphql;
mod naming;
mod problem;
mod rules;
mod service;
mod support;
mod wording;
mod write;
mod written;

pub use catalogue::{Catalogue, Origin};
pub use description::Document;
pub use drift::Drift;
pub use graphql::{GraphqlRules, GraphqlSchema, RootKind, catalogue_from_schema};
pub use problem::{Problem, joined};
pub use rules::Rules;
pub use service::{
    OperationFilter, ServiceImport, ServiceSuggestion, import_graphql, import_openapi,
};
pub use support::Support;
pub use written::ids_of_cards;
