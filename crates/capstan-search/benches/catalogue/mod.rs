//! A large, reproducible catalogue with queries for it.

pub(crate) mod indexed;
mod made;
mod words;

pub(crate) use indexed::{embed, index, vectors};
pub(crate) use made::{documents, queries};
