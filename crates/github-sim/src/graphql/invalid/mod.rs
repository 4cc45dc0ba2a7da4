//! Validation of documents, with GitHub's error messages.

mod check;
mod lint;
mod selections;
mod usage;
mod values;

pub(super) use check::check;
