//! Names of local bindings, which are not part of what code does.

use std::collections::HashMap;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_syntax::symbol::SymbolId;

/// Replaces the name of every local binding by a number, in the order in which they first appear.
///
/// No name can contain `@`, so no binding can be mistaken for a global or a property.
pub(crate) fn number_locals(program: &Program<'_>, scoping: &mut Scoping) {
    let mut numbering = LocalNumbering {
        scoping,
        numbers: HashMap::new(),
    };
    numbering.visit_program(program);
    for (symbol, number) in numbering.numbers {
        scoping.set_symbol_name(symbol, Ident::from(format!("@{number}").as_str()));
    }
}

/// Returns whether the code calls `eval` directly, so that the evaluated code sees the names of
/// locals.
pub(crate) fn has_direct_eval(program: &Program<'_>, scoping: &Scoping) -> bool {
    let mut finder = DirectEvalFinder {
        scoping,
        found: false,
    };
    finder.visit_program(program);
    finder.found
}

struct LocalNumbering<'s> {
    scoping: &'s Scoping,
    numbers: HashMap<SymbolId, usize>,
}

impl LocalNumbering<'_> {
    fn record(&mut self, symbol: Option<SymbolId>) {
        if let Some(symbol) = symbol {
            let next = self.numbers.len();
            self.numbers.entry(symbol).or_insert(next);
        }
    }
}

impl<'a> Visit<'a> for LocalNumbering<'_> {
    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.record(it.symbol_id.get());
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        let reference = it.reference_id.get();
        self.record(reference.and_then(|id| self.scoping.get_reference(id).symbol_id()));
    }
}

struct DirectEvalFinder<'s> {
    scoping: &'s Scoping,
    found: bool,
}

impl<'a> Visit<'a> for DirectEvalFinder<'_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Expression::Identifier(callee) = &it.callee
            && callee.name == "eval"
            && callee
                .reference_id
                .get()
                .is_none_or(|id| !self.scoping.has_binding(id))
        {
            self.found = true;
        }
        walk::walk_call_expression(self, it);
    }
}
