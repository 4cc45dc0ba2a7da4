//! Refuses valid TypeScript that cannot be run here.

use capstan_core::code::{ScriptError, ScriptErrorKind};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_span::{GetSpan, Span};

use super::Lines;

pub(crate) fn check_supported(
    program: &Program<'_>,
    scoping: &Scoping,
    lines: &Lines<'_>,
) -> Result<(), ScriptError> {
    let mut finder = UnsupportedFinder {
        scoping,
        namespace_depth: 0,
        first: None,
    };
    finder.visit_program(program);
    match finder.first {
        Some((span, message)) => {
            let place = lines.place(span.start as usize);
            Err(ScriptError::new(ScriptErrorKind::Unsupported, message).at(Some(place)))
        }
        None => Ok(()),
    }
}

const IMPORT: &str =
    "`import` cannot be used here: there are no modules, call `capstan`, `mcp` and `caps` instead";
const IMPORT_META: &str = "`import.meta` cannot be used here: there are no modules";
const EXPORT: &str = "`export` cannot be used here: end the code with its result, or `return` it";
const EXPORT_DEFAULT: &str = "`export` cannot be used here: call the function instead of exporting \
                              it, as in `return await main(args)`, or end the code with its result";
const REQUIRE: &str =
    "`require` cannot be used here: there are no modules, call `capstan`, `mcp` and `caps` instead";
const DECORATOR: &str =
    "decorators cannot be used here: call a function with the class or the method instead";
const ACCESSOR: &str =
    "`accessor` fields cannot be used here: write a `get` and a `set` method instead";

struct UnsupportedFinder<'s> {
    scoping: &'s Scoping,
    /// How many namespaces enclose the node. An `export` within a namespace does not export from
    /// the code.
    namespace_depth: usize,
    first: Option<(Span, &'static str)>,
}

impl UnsupportedFinder<'_> {
    fn record(&mut self, span: Span, message: &'static str) {
        if self.first.is_none_or(|(first, _)| span.start < first.start) {
            self.first = Some((span, message));
        }
    }
}

impl<'a> Visit<'a> for UnsupportedFinder<'_> {
    fn visit_module_declaration(&mut self, it: &ModuleDeclaration<'a>) {
        match it {
            ModuleDeclaration::ImportDeclaration(it) => self.record(it.span, IMPORT),
            _ if self.namespace_depth > 0 => {}
            ModuleDeclaration::ExportDefaultDeclaration(it) => {
                self.record(it.span, EXPORT_DEFAULT);
            }
            _ => self.record(it.span(), EXPORT),
        }
        walk::walk_module_declaration(self, it);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.record(it.span, IMPORT);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.record(it.span, IMPORT);
    }

    fn visit_import_meta(&mut self, it: &ImportMeta) {
        self.record(it.span, IMPORT_META);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        self.namespace_depth += 1;
        walk::walk_ts_namespace_declaration(self, it);
        self.namespace_depth -= 1;
    }

    fn visit_ts_external_module_declaration(&mut self, it: &TSExternalModuleDeclaration<'a>) {
        self.namespace_depth += 1;
        walk::walk_ts_external_module_declaration(self, it);
        self.namespace_depth -= 1;
    }

    fn visit_ts_global_declaration(&mut self, it: &TSGlobalDeclaration<'a>) {
        self.namespace_depth += 1;
        walk::walk_ts_global_declaration(self, it);
        self.namespace_depth -= 1;
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Expression::Identifier(callee) = &it.callee
            && callee.name == "require"
            && is_free(callee, self.scoping)
        {
            self.record(it.span, REQUIRE);
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.record(it.span, DECORATOR);
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        self.record(it.span, ACCESSOR);
    }
}

fn is_free(reference: &IdentifierReference<'_>, scoping: &Scoping) -> bool {
    let id = reference.reference_id.get();
    id.is_none_or(|id| scoping.get_reference(id).symbol_id().is_none())
}
