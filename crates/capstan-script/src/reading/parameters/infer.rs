//! Turns reads into properties, and properties into a schema.

use oxc_ast::ast::Program;
use oxc_ast_visit::Visit;
use serde_json::Value;

use super::reads::ArgsReader;
use crate::reading::paths::GlobalPaths;

pub(crate) fn infer(program: &Program<'_>, paths: &GlobalPaths<'_, '_>) -> Value {
    let mut reader = ArgsReader::new(program, paths);
    reader.visit_program(program);
    reader.into_root().object_schema(true)
}
