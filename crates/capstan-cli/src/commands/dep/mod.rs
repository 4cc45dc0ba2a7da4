//! `capstan dep`: manages relations between capabilities. One file for each subcommand.

mod add;
mod dispatch;
mod forget;
mod list;
mod rm;
mod show;
mod update;

pub(super) use dispatch::run;
