//! `capstan graph`: shows the graph of relations. One file for each subcommand.

mod dispatch;
mod neighbors;
mod path;
mod snapshot;

pub(super) use dispatch::run;
