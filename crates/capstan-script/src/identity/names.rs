//! Names of local bindings, which are no part of what code does.

use std::collections::HashMap;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_syntax::symbol::SymbolId;

/// Gives every local binding a number instead of its name, in the order in which they first appear.
///
/// `@` can be in no name, so no binding is ever mistaken for a global or a property.
pub(crate) fn number(program: &Program<'_>, scoping: &mut Scoping) {
    let mut appearance = Appearance {
        scoping,
        numbers: HashMap::new(),
    };
    appearance.visit_program(program);
    for (symbol, number) in appearance.numbers {
        scoping.set_symbol_name(symbol, Ident::from(format!("@{number}").as_str()));
    }
}

/// Whether the code calls `eval` so that the made code sees the names of locals.
pub(crate) fn are_seen_by_eval(program: &Program<'_>, scoping: &Scoping) -> bool {
    let mut finder = Eval {
        scoping,
        found: false,
    };
    finder.visit_program(program);
    finder.found
}

struct Appearance<'s> {
    scoping: &'s Scoping,
    numbers: HashMap<SymbolId, usize>,
}

impl Appearance<'_> {
    fn appears(&mut self, symbol: Option<SymbolId>) {
        if let Some(symbol) = symbol {
            let next = self.numbers.len();
            self.numbers.entry(symbol).or_insert(next);
        }
    }
}

impl<'a> Visit<'a> for Appearance<'_> {
    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.appears(it.symbol_id.get());
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        let reference = it.reference_id.get();
        self.appears(reference.and_then(|id| self.scoping.get_reference(id).symbol_id()));
    }
}

struct Eval<'s> {
    scoping: &'s Scoping,
    found: bool,
}

impl<'a> Visit<'a> for Eval<'_> {
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
