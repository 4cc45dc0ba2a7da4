//! Reads become properties, and properties a schema.

use oxc_ast::ast::Program;
use oxc_ast_visit::Visit;
use serde_json::Value;

use super::reads::Reads;
use crate::reading::paths::Paths;

pub(crate) fn infer(program: &Program<'_>, paths: &Paths<'_, '_>) -> Value {
    let mut reads = Reads::new(program, paths);
    reads.visit_program(program);
    reads.into_root().object_schema(true)
}
