//! Everything that is found, in one go.

use capstan_core::code::CallTarget;
use oxc_ast::ast::Program;
use oxc_semantic::Scoping;
use serde_json::Value;

use super::paths::Paths;
use super::{calls, parameters};

pub(crate) struct Found {
    pub(crate) calls: Vec<CallTarget>,
    pub(crate) parameters: Value,
}

pub(crate) fn find(program: &Program<'_>, scoping: &Scoping) -> Found {
    let paths = Paths::new(program, scoping);
    Found {
        calls: calls::find(program, &paths),
        parameters: parameters::infer(program, &paths),
    }
}
