//! The type of an expression in a scope. What an expression cannot read, or can never be true,
//! becomes a finding.

mod checker;
mod compare;
mod filter;
mod narrow;
mod path;
mod scope;

pub(crate) use checker::{At, Checker};
pub(crate) use narrow::narrowed;
pub(crate) use scope::TypeScope;
