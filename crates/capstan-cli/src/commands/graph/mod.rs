//! `capstan graph`: the graph of relations. One file for each.

mod dispatch;
mod neighbors;
mod path;
mod snapshot;

pub(super) use dispatch::run;
