//! Words that say what not to do: `do not merge it`, `instead of closing it`, `keep it open`, `cancel the merge`.
//!
//! A plan has no step that keeps something from happening, so whoever negates is told which words were read as a
//! negation, and what they negate is never planned. Words that only describe things (`issues that are not closed`,
//! `with no assignee`, `as not planned`) or that give a reason (`it is no longer needed`) negate no order.
//!
//! What is not recognised here is safe all the same: a plan is ready only if every word of its intent was read.

mod found;
mod lists;
mod reader;
mod staying;
#[cfg(test)]
mod tests;

pub(super) use found::{Negation, Reach, cut_negation, is_contrast, is_remark, negation};
