//! What makes two texts the same capability.

mod canon;
mod names;

pub(crate) use canon::hash;
