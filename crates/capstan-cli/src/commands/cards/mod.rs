//! `capstan cards`: makes cards for other services.

mod dispatch;
mod folder;
mod import;
mod names;
mod report;
mod source;

pub(super) use dispatch::run;
