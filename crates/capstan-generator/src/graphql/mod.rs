//! GraphQL schemas: their root fields become outlines.

mod answer;
mod audience;
mod build;
mod connection;
mod field;
mod input;
mod lookup;
mod naming;
mod operation;
mod outline;
mod projection;
mod rules;
mod schema;
mod wording;

pub use build::catalogue_from_schema;
pub use operation::RootKind;
pub use rules::GraphqlRules;
pub use schema::GraphqlSchema;
