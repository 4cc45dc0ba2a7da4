//! Decides when two texts are the same capability.

mod canon;
mod names;

pub(crate) use canon::hash;
