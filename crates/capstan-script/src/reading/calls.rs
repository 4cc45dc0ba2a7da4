//! The capabilities that code calls by name.
//!
//! A reference that is passed on counts as a call: `ids.map(capstan.issue.view)`.

use capstan_core::code::CallTarget;
use indexmap::IndexSet;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};

use super::paths::{Path, Paths, Root};

/// In the order in which they stand in the code.
pub(crate) fn find(program: &Program<'_>, paths: &Paths<'_, '_>) -> Vec<CallTarget> {
    let mut calls = Calls {
        paths,
        found: IndexSet::new(),
    };
    calls.visit_program(program);
    calls.found.into_iter().collect()
}

struct Calls<'p, 'a, 's> {
    paths: &'p Paths<'a, 's>,
    found: IndexSet<CallTarget>,
}

impl Calls<'_, '_, '_> {
    fn refer(&mut self, path: &Path) {
        let names: Vec<&str> = path.steps.iter().map(|step| step.name.as_str()).collect();
        let target = match (path.root, names.as_slice()) {
            (Root::Capstan, [_, _, ..]) => CallTarget::Capstan(names.join(".")),
            (Root::Mcp, [server, tool @ ..]) if !tool.is_empty() => CallTarget::Mcp {
                server: (*server).to_owned(),
                tool: tool.join("."),
            },
            (Root::Caps, [_, ..]) => CallTarget::Caps(names.join(".")),
            _ => return,
        };
        self.found.insert(target);
    }

    /// The function itself, where a method of functions is called: `capstan.issue.view.bind(null)`, and
    /// what is read where all its pages are: `capstan.issue.list.all({})`.
    fn called(path: &mut Path) {
        let shortest = if path.root == Root::Caps { 1 } else { 2 };
        let root = path.root;
        let method = |name: &str| {
            matches!(name, "apply" | "bind" | "call") || (name == "all" && root == Root::Capstan)
        };
        if path.steps.len() > shortest && path.steps.last().is_some_and(|it| method(&it.name)) {
            path.steps.pop();
        }
    }

    /// Whether a declaration only gives other names to something, which count where they are used.
    fn only_names(&self, it: &VariableDeclarator<'_>) -> bool {
        let bindings = it.id.get_binding_identifiers();
        let is_path = |value: &Expression<'_>| self.paths.path(value).is_some();
        it.init.as_ref().is_some_and(is_path) && bindings.iter().all(|it| self.paths.is_alias(it))
    }
}

impl<'a> Visit<'a> for Calls<'_, '_, '_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        match self.paths.path(&it.callee) {
            Some(mut path) => {
                Self::called(&mut path);
                self.refer(&path);
                self.visit_arguments(&it.arguments);
            }
            None => walk::walk_call_expression(self, it),
        }
    }

    fn visit_expression(&mut self, it: &Expression<'a>) {
        match self.paths.path(it) {
            Some(path) => self.refer(&path),
            None => walk::walk_expression(self, it),
        }
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if self.only_names(it) {
            self.visit_binding_pattern(&it.id);
        } else {
            walk::walk_variable_declarator(self, it);
        }
    }

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
}
