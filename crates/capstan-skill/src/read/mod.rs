//! Reads skill files. All mistakes in a file are reported at once, and the rest of it is still read.

mod blocks;
mod composition;
mod fields;
mod files;
mod given;
mod keywords;
mod schema;
mod skill;

pub use files::{ReadSkills, diagnose_empty_path, read_path, read_text};
pub use schema::file_schema;
