//! The rules of people: what the description does not say, or says badly.

mod exception;
mod file;

pub(crate) use exception::{ExceptionGroup, lookup};
pub use file::Rules;
