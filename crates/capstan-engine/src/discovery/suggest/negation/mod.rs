//! Finds negations: `do not merge it`, `instead of closing it`, `keep it open`, `cancel the merge`.
//!
//! A plan has no step that prevents something. So the suggestion reports the words that were read as a
//! negation, and what they negate is never planned. Words that only describe objects (`issues that are not
//! closed`, `with no assignee`, `as not planned`) or give a reason (`it is no longer needed`) negate no
//! order.
//!
//! A negation that is missed here does no harm: a plan is ready only if every word of its intent was read.

mod detection;
mod kept_states;
mod lists;
mod reader;
#[cfg(test)]
mod tests;

pub(super) use detection::{
    Negation, NegationScope, find_negation, find_negation_in_fragment, is_contrast, is_remark,
};
