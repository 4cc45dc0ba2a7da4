//! `capstan dep`: how capabilities are related. One file for each.

mod add;
mod dispatch;
mod forget;
mod list;
mod rm;
mod show;
mod update;

pub(super) use dispatch::run;
