//! The small expression language of cards: paths, filters, comparisons. Parsed once, pure, total.
//!
//! ```text
//! labels.nodes[].name              a path; `[]` maps over an array, `[-1]` picks an element
//! $issue.id                        a path into a named value
//! state | lower                    a filter
//! author.login | default("ghost")
//! not draft and state == "open"    a predicate
//! ```
//!
//! A bare path starts at the current value (the input when a request is built, the answer when
//! it is normalized); `$name` starts at a named value. What is not there is absent, never an error.

mod error;
mod eval;
mod expression;
mod filter;
mod lexer;
mod parser;
mod path;
mod template;
#[cfg(test)]
mod tests;

pub use error::ExprError;
pub use eval::{Scope, truthy};
pub use expression::{Comparison, Expr};
pub use filter::Filter;
pub use path::{Path, Root, Segment};
pub use template::{Template, ValueTemplate};
