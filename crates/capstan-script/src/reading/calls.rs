//! Finds the capabilities that code calls by name.
//!
//! A reference that is passed on counts as a call: `ids.map(capstan.issue.view)`.

use capstan_core::code::CallTarget;
use indexmap::IndexSet;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};

use super::paths::{GlobalPath, GlobalPaths, GlobalRoot};

/// Returns the called capabilities in source order.
pub(crate) fn find_calls(program: &Program<'_>, paths: &GlobalPaths<'_, '_>) -> Vec<CallTarget> {
    let mut finder = CallFinder {
        paths,
        found: IndexSet::new(),
    };
    finder.visit_program(program);
    finder.found.into_iter().collect()
}

struct CallFinder<'p, 'a, 's> {
    paths: &'p GlobalPaths<'a, 's>,
    found: IndexSet<CallTarget>,
}

impl CallFinder<'_, '_, '_> {
    fn record(&mut self, path: &GlobalPath) {
        let names: Vec<&str> = path.steps.iter().map(|step| step.name.as_str()).collect();
        let target = match (path.root, names.as_slice()) {
            (GlobalRoot::Capstan, [_, _, ..]) => CallTarget::Capstan(names.join(".")),
            (GlobalRoot::Mcp, [server, tool @ ..]) if !tool.is_empty() => CallTarget::Mcp {
                server: (*server).to_owned(),
                tool: tool.join("."),
            },
            (GlobalRoot::Caps, [_, ..]) => CallTarget::Caps(names.join(".")),
            _ => return,
        };
        self.found.insert(target);
    }

    /// Removes a method of functions from the path: `capstan.issue.view.bind(null)` calls
    /// `capstan.issue.view`, and `capstan.issue.list.all({})` reads all pages of
    /// `capstan.issue.list`.
    fn strip_function_method(path: &mut GlobalPath) {
        let min_steps = if path.root == GlobalRoot::Caps { 1 } else { 2 };
        let root = path.root;
        let is_method = |name: &str| {
            matches!(name, "apply" | "bind" | "call")
                || (name == "all" && root == GlobalRoot::Capstan)
        };
        if path.steps.len() > min_steps && path.steps.last().is_some_and(|it| is_method(&it.name)) {
            path.steps.pop();
        }
    }

    /// Returns whether a declaration only declares aliases. Aliases count where they are used.
    fn only_declares_aliases(&self, it: &VariableDeclarator<'_>) -> bool {
        let bindings = it.id.get_binding_identifiers();
        let is_path = |value: &Expression<'_>| self.paths.path(value).is_some();
        it.init.as_ref().is_some_and(is_path) && bindings.iter().all(|it| self.paths.is_alias(it))
    }
}

impl<'a> Visit<'a> for CallFinder<'_, '_, '_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        match self.paths.path(&it.callee) {
            Some(mut path) => {
                Self::strip_function_method(&mut path);
                self.record(&path);
                self.visit_arguments(&it.arguments);
            }
            None => walk::walk_call_expression(self, it),
        }
    }

    fn visit_expression(&mut self, it: &Expression<'a>) {
        match self.paths.path(it) {
            Some(path) => self.record(&path),
            None => walk::walk_expression(self, it),
        }
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if self.only_declares_aliases(it) {
            self.visit_binding_pattern(&it.id);
        } else {
            walk::walk_variable_declarator(self, it);
        }
    }

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
}
