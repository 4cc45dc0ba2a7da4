//! TypeScript that is fine, and still cannot be run here.

use capstan_core::code::{ScriptError, ScriptErrorKind};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_span::{GetSpan, Span};

use super::Lines;

pub(crate) fn refuse(
    program: &Program<'_>,
    scoping: &Scoping,
    lines: &Lines<'_>,
) -> Result<(), ScriptError> {
    let mut refusal = Refusal {
        scoping,
        within_namespace: 0,
        first: None,
    };
    refusal.visit_program(program);
    match refusal.first {
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
const EXPORT: &str =
    "`export` cannot be used here: end the code with the value to give, or `return` it";
const EXPORT_DEFAULT: &str = "`export` cannot be used here: call the function instead of exporting it, as in \
     `return await main(args)`, or end the code with the value to give";
const REQUIRE: &str =
    "`require` cannot be used here: there are no modules, call `capstan`, `mcp` and `caps` instead";
const DECORATOR: &str =
    "decorators cannot be used here: call a function with the class or the method instead";
const ACCESSOR: &str =
    "`accessor` fields cannot be used here: write a `get` and a `set` method instead";

struct Refusal<'s> {
    scoping: &'s Scoping,
    /// An `export` within a namespace is no export of the code.
    within_namespace: usize,
    first: Option<(Span, &'static str)>,
}

impl Refusal<'_> {
    fn refuse(&mut self, span: Span, message: &'static str) {
        if self.first.is_none_or(|(first, _)| span.start < first.start) {
            self.first = Some((span, message));
        }
    }
}

impl<'a> Visit<'a> for Refusal<'_> {
    fn visit_module_declaration(&mut self, it: &ModuleDeclaration<'a>) {
        match it {
            ModuleDeclaration::ImportDeclaration(it) => self.refuse(it.span, IMPORT),
            _ if self.within_namespace > 0 => {}
            ModuleDeclaration::ExportDefaultDeclaration(it) => {
                self.refuse(it.span, EXPORT_DEFAULT);
            }
            _ => self.refuse(it.span(), EXPORT),
        }
        walk::walk_module_declaration(self, it);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.refuse(it.span, IMPORT);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.refuse(it.span, IMPORT);
    }

    fn visit_import_meta(&mut self, it: &ImportMeta) {
        self.refuse(it.span, IMPORT_META);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        self.within_namespace += 1;
        walk::walk_ts_namespace_declaration(self, it);
        self.within_namespace -= 1;
    }

    fn visit_ts_external_module_declaration(&mut self, it: &TSExternalModuleDeclaration<'a>) {
        self.within_namespace += 1;
        walk::walk_ts_external_module_declaration(self, it);
        self.within_namespace -= 1;
    }

    fn visit_ts_global_declaration(&mut self, it: &TSGlobalDeclaration<'a>) {
        self.within_namespace += 1;
        walk::walk_ts_global_declaration(self, it);
        self.within_namespace -= 1;
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Expression::Identifier(callee) = &it.callee
            && callee.name == "require"
            && is_free(callee, self.scoping)
        {
            self.refuse(it.span, REQUIRE);
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.refuse(it.span, DECORATOR);
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        self.refuse(it.span, ACCESSOR);
    }
}

fn is_free(reference: &IdentifierReference<'_>, scoping: &Scoping) -> bool {
    let id = reference.reference_id.get();
    id.is_none_or(|id| scoping.get_reference(id).symbol_id().is_none())
}
