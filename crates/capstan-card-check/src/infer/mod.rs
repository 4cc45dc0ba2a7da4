//! Infers the type of an expression in a scope. A path that cannot be read and a comparison that is
//! never true become findings.

mod checker;
mod compare;
mod filter;
mod narrow;
mod path;
mod scope;

pub(crate) use checker::{Checker, ExprLocation};
pub(crate) use narrow::narrowed;
pub(crate) use scope::TypeScope;
