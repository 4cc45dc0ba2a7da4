//! Whether everything that passes one schema passes another.
//!
//! What is known about a value is a [`case::Case`]: facts that all hold. The needed schema is taken
//! apart keyword by keyword, and each must follow from the facts. Whatever does not follow is a no, so
//! that a yes can be relied on.

mod array;
mod assignable;
mod case;
mod cases;
mod checker;
mod empty;
mod enums;
mod object;
mod others;
mod scalar;
mod split;

pub(crate) use assignable::assignable_within;
pub use assignable::{assignable, assignable_projected};
