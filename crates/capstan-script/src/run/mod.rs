//! The JavaScript that is run: the body of an async function, with its source map.

mod last_value;
mod mark;
mod print;
mod strip;

pub(crate) use last_value::{Uncalled, return_last_value};
pub(crate) use print::{PrintedCode, print};
pub(crate) use strip::strip_types;
