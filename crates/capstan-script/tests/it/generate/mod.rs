//! Small programs as trees, which can be printed in many ways that mean the same, and changed in one
//! place so that they mean something else.

mod build;
mod change;
mod choices;
mod names;
mod print;
mod style;
mod tree;

pub(crate) use build::program;
pub(crate) use change::{change_expression, change_statement};
pub(crate) use print::print;
pub(crate) use style::{Naming, Style};
pub(crate) use tree::Program;
