//! The rules of people: what the description does not say, or says badly.

mod exception;
mod file;
mod name;
mod read;
mod words;

pub(crate) use exception::{ExceptionGroup, lookup, named};
pub use file::Rules;
pub(crate) use file::Variant;
pub(crate) use name::NameRule;
pub(crate) use read::{parse_rules, read_rules};
pub(crate) use words::Words;
