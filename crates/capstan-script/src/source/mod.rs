//! Text into a syntax tree that is known to be fine, or an error with its place.

mod analyse;
mod lines;
mod nesting;
mod parse;
mod refuse;

pub(crate) use analyse::{analyse, first_error};
pub(crate) use lines::Lines;
pub(crate) use nesting::check as check_nesting;
pub(crate) use parse::parse;
pub(crate) use refuse::refuse;
