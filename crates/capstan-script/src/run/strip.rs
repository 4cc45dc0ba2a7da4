//! Removes types: the result is JavaScript of the edition that the engine runs.

use std::path::Path;

use capstan_core::code::{ScriptError, ScriptErrorKind};
use oxc_allocator::Allocator;
use oxc_ast::ast::{Program, SourceType, TemplateElement};
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_semantic::Scoping;
use oxc_transformer::{TransformOptions, Transformer};

use crate::source::{Lines, first_error};

pub(crate) fn strip_types<'a>(
    program: &mut Program<'a>,
    scoping: Scoping,
    allocator: &'a Allocator,
    lines: &Lines<'_>,
) -> Result<(), ScriptError> {
    // The default does not lower JavaScript, which would need helpers: the engine supports all of
    // it.
    let options = TransformOptions::default();
    let stripped = Transformer::new(allocator, Path::new("code.ts"), &options)
        .build_with_scoping(scoping, program);
    if let Some(mut error) = first_error(&stripped.diagnostics, lines) {
        error.kind = ScriptErrorKind::Unsupported;
        return Err(error);
    }
    program.source_type = SourceType::mjs();
    program.hashbang = None;
    LineEndNormalizer { allocator }.visit_program(program);
    Ok(())
}

/// Converts line ends in templates to LF, as the JavaScript standard requires.
struct LineEndNormalizer<'a> {
    allocator: &'a Allocator,
}

impl<'a> VisitMut<'a> for LineEndNormalizer<'a> {
    fn visit_template_element(&mut self, it: &mut TemplateElement<'a>) {
        if it.value.raw.contains('\r') {
            let raw = it.value.raw.replace("\r\n", "\n").replace('\r', "\n");
            it.value.raw = oxc_ast::ast::Str::from_str_in(&raw, &self.allocator);
        }
        walk_mut::walk_template_element(self, it);
    }
}
