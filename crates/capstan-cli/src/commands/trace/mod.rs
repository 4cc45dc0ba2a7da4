//! `capstan trace`: lists, shows and prunes traces. One file for each subcommand.

mod dispatch;
mod list;
mod prune;
mod show;

pub(super) use dispatch::run;
