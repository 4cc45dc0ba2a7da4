//! `capstan cap`: manages remembered code. One file for each subcommand.

mod alias;
mod delete;
mod dispatch;
mod export;
mod import;
mod list;
mod lookup;
mod merge;
mod name;
mod rename;
mod share;
mod show;

pub(super) use dispatch::run;
