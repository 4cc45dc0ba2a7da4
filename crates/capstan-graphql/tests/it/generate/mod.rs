//! Generates random operation documents that GitHub's schema allows.

mod choices;
mod document;
mod literal;
mod selections;
mod types;
mod values;
mod variables;
mod world;

pub(crate) use document::{Operation, mutation, query};
pub(crate) use world::{demo, execute};
