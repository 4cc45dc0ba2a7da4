//! The demonstration: the organisation `acme`, which builds a rocket, as a believable world to try things on.

mod build;
mod catalogue;
mod history;
mod issues;
mod issues_early;
mod issues_late;
mod long_body;
mod people;
mod pulls;

pub(crate) use build::world;
