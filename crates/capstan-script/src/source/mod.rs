//! Turns text into a valid syntax tree, or into an error with its position.

mod analyse;
mod lines;
mod nesting;
mod parse;
mod unsupported;

pub(crate) use analyse::{analyse, first_error};
pub(crate) use lines::Lines;
pub(crate) use nesting::check as check_nesting;
pub(crate) use parse::parse;
pub(crate) use unsupported::check_supported;
