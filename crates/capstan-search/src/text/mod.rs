//! Turns texts into words: split, without stop words, and stemmed.

mod clauses;
mod compound;
mod meaningful;
mod names;
mod split;
mod stem;
mod stop;
mod synonym;

pub(crate) use clauses::clauses;
pub(crate) use meaningful::{meaningful, meaningful_text, meaningful_words};
pub(crate) use names::without_unknown;
pub(crate) use split::words;
pub(crate) use stem::stem;
