//! Binds a line to a card: decides which word is which input.

mod advice;
mod binder;
mod options;
mod problems;
mod words;

pub use options::{BoundLine, LineOptions};

pub(crate) use words::bind;
