//! Reports of the measurements: as a table, as JSON and as a picture.

mod content;
pub(crate) mod json;
mod svg;
mod table;

pub(crate) use content::{METHODS, name};
pub use content::{Report, Row};
