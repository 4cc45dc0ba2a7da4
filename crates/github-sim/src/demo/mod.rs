//! The demonstration: a believable world with the organisation `acme`, which builds a rocket.

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
