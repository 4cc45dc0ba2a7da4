//! Descriptions of operations: one short sentence in plain words that starts with a verb.

mod choose;
mod distinct;
mod plain;
mod verb;

pub(crate) use choose::{description_of, short_sentence};
pub(crate) use distinct::make_distinct;
pub(crate) use plain::plain;
pub(crate) use verb::with_verb;
