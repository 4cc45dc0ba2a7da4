//! Generates schemas, pairs of related schemas, and values for them, from bytes that proptest can shrink.

mod change;
mod choices;
mod schema;
mod value;

pub(crate) use change::changed;
pub(crate) use choices::Choices;
pub(crate) use schema::document;
pub(crate) use value::{sample, values};
