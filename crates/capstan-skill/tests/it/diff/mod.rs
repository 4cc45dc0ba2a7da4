//! What changed between two versions of a skill.

mod laws;
mod skills;
mod story;
mod table;
