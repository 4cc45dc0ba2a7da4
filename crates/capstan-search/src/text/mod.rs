//! Texts as words: split, without what tells nothing, in one form.

mod clauses;
mod compound;
mod names;
mod split;
mod stem;
mod stop;
mod synonym;
mod telling;

pub(crate) use clauses::clauses;
pub(crate) use names::without_unknown;
pub(crate) use split::words;
pub(crate) use stem::stem;
pub(crate) use telling::{telling, telling_text, telling_words};
