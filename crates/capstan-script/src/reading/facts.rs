//! Finds everything in one pass over the names.

use capstan_core::code::CallTarget;
use oxc_ast::ast::Program;
use oxc_semantic::Scoping;
use serde_json::Value;

use super::paths::GlobalPaths;
use super::{calls, parameters};

pub(crate) struct CodeFacts {
    pub(crate) calls: Vec<CallTarget>,
    pub(crate) parameters: Value,
}

pub(crate) fn find_facts(program: &Program<'_>, scoping: &Scoping) -> CodeFacts {
    let paths = GlobalPaths::new(program, scoping);
    CodeFacts {
        calls: calls::find_calls(program, &paths),
        parameters: parameters::infer(program, &paths),
    }
}
