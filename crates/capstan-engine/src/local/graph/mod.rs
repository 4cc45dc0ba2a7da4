//! `graph.*`: the graph of relations.

pub(super) mod neighbors;
pub(super) mod path;
pub(super) mod snapshot;
mod view;
