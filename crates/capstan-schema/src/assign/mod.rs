//! Decides whether everything that matches one schema matches another.
//!
//! A [`case::Case`] holds what is known of a value: facts that all hold. The target schema is checked keyword
//! by keyword, and each must follow from the facts. Anything that does not follow is a mismatch, so a
//! positive answer is reliable.

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
