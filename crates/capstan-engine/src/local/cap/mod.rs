//! `cap.*`: the registry of remembered code, with names, visibility and statistics.

pub(super) mod alias;
pub(super) mod delete;
pub(super) mod export;
mod exported;
pub(super) mod import;
pub(super) mod list;
pub(super) mod lookup;
pub(super) mod merge;
pub(super) mod name;
pub(super) mod rename;
pub(super) mod share;
pub(super) mod show;
