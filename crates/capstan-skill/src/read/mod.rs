//! Skill files as skills. Everything that is wrong with a file is told at once, and what is right in it
//! is read all the same.

mod blocks;
mod composition;
mod fields;
mod files;
mod given;
mod keywords;
mod schema;
mod skill;

pub use files::{Read, adds_nothing, read_path, read_text};
pub use schema::file_schema;
