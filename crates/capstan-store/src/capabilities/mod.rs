//! Capabilities made of code: one file per operation.

mod change;
mod delete;
mod find;
mod history;
mod identity;
mod import;
mod list;
mod merge;
mod names;
mod pattern;
mod record;
mod register;
mod resolve;
pub(crate) mod rows;
mod usage;
mod visibility;

pub(crate) use change::changed;
pub(crate) use delete::delete;
pub(crate) use history::history;
pub(crate) use import::import;
pub(crate) use list::{list, summaries, visibility_condition};
pub(crate) use merge::merge;
pub(crate) use names::{add_alias, rename};
pub(crate) use pattern::relax_parameters;
pub(crate) use register::register;
pub(crate) use resolve::resolve;
pub(crate) use usage::{record_use, record_use_of_code};
pub(crate) use visibility::set_visibility;
