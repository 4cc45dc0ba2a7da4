//! Outlines: generated cards in short form. A file of outlines has one mapping from id to outline; each becomes an
//! ordinary card.

mod check;
mod expand;
mod file;
mod files;
mod graphql;
mod names;
mod notation;
mod raw;
mod sealed;
mod support;

pub(crate) use check::compiled;
pub use check::{card_of, check};
pub(crate) use expand::expand;
pub use file::read_outlines;
pub use graphql::{camel_case, snake_case};
pub use names::NamedId;
pub use raw::{
    Outline, RawAnswer as AnswerKind, RawAudience as Audience, RawOutlineLookup as OutlineLookup,
    RawPages as Pages,
};
pub use support::unsupported;
