//! Writes outlines as YAML that people can review: one key per line, long values in as few lines as possible.

mod file;
mod flow;
mod scalar;

pub(crate) use file::{file_of, outlines_text};
