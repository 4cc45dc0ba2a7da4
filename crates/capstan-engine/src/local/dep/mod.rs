//! `dep.*`: relations between capabilities.

pub(super) mod add;
pub(super) mod forget;
pub(super) mod list;
pub(super) mod remove;
pub(super) mod show;
pub(super) mod update;
pub(super) mod view;
