//! Outlines: generated cards in short form. A file of outlines has one mapping from id to outline; each becomes an
//! ordinary card.

mod expand;
mod file;
mod notation;
mod raw;

pub(crate) use expand::expand;
pub(crate) use file::read_outlines;
