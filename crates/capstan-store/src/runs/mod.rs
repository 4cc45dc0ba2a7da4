//! How far runs of skills are. Each belongs to the viewer who began it, and is recorded by the attempt
//! that took it over last.

mod note;
#[cfg(test)]
mod protocol;
mod read;
mod turn;

pub(crate) use note::note;
pub(crate) use read::{get, list, prune};
pub(crate) use turn::{begin, end, take_over};
