//! Documents that GitHub refuses before executing them, with its own words for why.

mod check;
mod lint;
mod names;
mod values;
mod walk;

pub(super) use check::check;
