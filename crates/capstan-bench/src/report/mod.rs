//! What was measured, for people, for programs, and as a picture.

mod content;
mod json;
mod svg;
mod table;

pub(crate) use content::{METHODS, name};
pub use content::{Report, Row};
