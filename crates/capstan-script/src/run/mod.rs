//! The JavaScript that is run: the body of an async function, and the way back from its places.

mod last_value;
mod mark;
mod print;
mod strip;

pub(crate) use last_value::{Uncalled, return_last_value};
pub(crate) use print::{Printed, print};
pub(crate) use strip::strip_types;
