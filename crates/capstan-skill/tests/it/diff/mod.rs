//! Tests of the changes between two versions of a skill.

mod inferred;
mod laws;
mod skills;
mod story;
mod table;
