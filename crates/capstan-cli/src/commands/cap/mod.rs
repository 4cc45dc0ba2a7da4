//! `capstan cap`: what remembered code is called, who sees it, and what becomes of it. One file for
//! each.

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
