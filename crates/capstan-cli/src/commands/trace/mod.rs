//! `capstan trace`: what was executed. One file for each.

mod dispatch;
mod list;
mod prune;
mod show;

pub(super) use dispatch::run;
