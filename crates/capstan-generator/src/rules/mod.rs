//! The rules of people: what the description does not say, or says badly.

mod exception;
mod file;
mod name;
mod words;

pub(crate) use exception::{ExceptionGroup, lookup};
pub use file::Rules;
pub(crate) use file::Variant;
pub(crate) use name::NameRule;
pub(crate) use words::Words;
