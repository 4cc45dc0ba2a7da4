//! Finds the code that every successful run executes. What is read only elsewhere, in one branch or
//! in a function that may never be called, is not required.

use std::collections::HashSet;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

/// The code that a run may skip, as ranges of offsets.
#[derive(Debug, Default)]
pub(crate) struct UncertainSpans {
    /// Sorted; none touches another.
    spans: Vec<(u32, u32)>,
}

/// ReadKind often the certainly called functions are computed. Each round finds those that are called by
/// the functions found before; what is called through more functions than this counts as uncertain.
const MAX_ROUNDS: usize = 16;

impl UncertainSpans {
    pub(crate) fn from_program(program: &Program<'_>) -> Self {
        let mut collector = BranchCollector::default();
        collector.visit_program(program);
        let BranchCollector {
            branches,
            mut functions,
            calls,
            ..
        } = collector;
        for _ in 0..MAX_ROUNDS {
            let uncertain = Self::union(&branches, &functions);
            let before = functions.len();
            let certain_calls = calls.iter().filter(|(_, at)| !uncertain.contains(*at));
            let called: HashSet<&str> = certain_calls.map(|(name, _)| name.as_str()).collect();
            functions.retain(|function| {
                let is_called = function
                    .name
                    .as_deref()
                    .is_some_and(|it| called.contains(it));
                let is_used = function.used_at.is_some_and(|at| !uncertain.contains(at));
                !is_called && !is_used
            });
            if functions.len() == before {
                break;
            }
        }
        Self::union(&branches, &functions)
    }

    pub(crate) fn contains(&self, at: u32) -> bool {
        let after = self.spans.partition_point(|(start, _)| *start <= at);
        let before = after.checked_sub(1).and_then(|it| self.spans.get(it));
        before.is_some_and(|(_, end)| at < *end)
    }

    fn union(branches: &[Span], functions: &[UncalledFunction]) -> Self {
        let branches = branches.iter().map(|span| (span.start, span.end));
        // The first character of a function belongs to the code around it.
        let functions = functions.iter().map(|it| (it.span.start + 1, it.span.end));
        let mut all: Vec<(u32, u32)> = branches.chain(functions).collect();
        all.sort_unstable();
        let mut spans: Vec<(u32, u32)> = Vec::new();
        for (start, end) in all {
            match spans.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => spans.push((start, end)),
            }
        }
        Self { spans }
    }
}

/// A function that may never be called.
#[derive(Debug)]
struct UncalledFunction {
    name: Option<String>,
    span: Span,
    /// Where it is called immediately, or passed to something that calls it.
    used_at: Option<u32>,
}

#[derive(Default)]
struct BranchCollector {
    branches: Vec<Span>,
    functions: Vec<UncalledFunction>,
    /// Names that are called or passed on, and where.
    calls: Vec<(String, u32)>,
    /// The name for the next function.
    name: Option<(Span, String)>,
    /// Functions that are used where they are written.
    used: Vec<(Span, u32)>,
    /// Where the enclosing functions end.
    ends: Vec<u32>,
    /// ReadKind many branches of the innermost function enclose the node.
    depth: usize,
}

impl BranchCollector {
    fn record_branch(&mut self, span: Span) {
        self.branches.push(span);
    }

    fn record_use(&mut self, expression: &Expression<'_>, at: u32) {
        match expression.get_inner_expression() {
            Expression::Identifier(it) => self.calls.push((it.name.to_string(), at)),
            Expression::FunctionExpression(it) => self.used.push((it.span, at)),
            Expression::ArrowFunctionExpression(it) => self.used.push((it.span, at)),
            _ => {}
        }
    }

    fn within_function(
        &mut self,
        span: Span,
        own_name: Option<String>,
        walk: impl FnOnce(&mut Self),
    ) {
        let name = self.name.take_if(|(of, _)| *of == span);
        let used = self.used.iter().rposition(|(of, _)| *of == span);
        let used_at = used.map(|index| self.used.swap_remove(index).1);
        self.functions.push(UncalledFunction {
            name: own_name.or(name.map(|(_, name)| name)),
            span,
            used_at,
        });
        let depth = std::mem::take(&mut self.depth);
        self.ends.push(span.end);
        walk(self);
        self.ends.pop();
        self.depth = depth;
    }

    fn within_branch(&mut self, walk: impl FnOnce(&mut Self)) {
        self.depth += 1;
        walk(self);
        self.depth -= 1;
    }
}

impl<'a> Visit<'a> for BranchCollector {
    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        self.record_branch(it.consequent.span());
        if let Some(alternate) = &it.alternate {
            self.record_branch(alternate.span());
        }
        self.within_branch(|this| walk::walk_if_statement(this, it));
    }

    fn visit_conditional_expression(&mut self, it: &ConditionalExpression<'a>) {
        self.record_branch(it.consequent.span());
        self.record_branch(it.alternate.span());
        walk::walk_conditional_expression(self, it);
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        self.record_branch(it.right.span());
        walk::walk_logical_expression(self, it);
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        self.record_branch(it.body.span());
        self.within_branch(|this| walk::walk_for_statement(this, it));
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.record_branch(it.body.span());
        self.within_branch(|this| walk::walk_for_in_statement(this, it));
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.record_branch(it.body.span());
        self.within_branch(|this| walk::walk_for_of_statement(this, it));
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.record_branch(it.body.span());
        self.within_branch(|this| walk::walk_while_statement(this, it));
    }

    fn visit_switch_case(&mut self, it: &SwitchCase<'a>) {
        self.record_branch(it.span);
        self.within_branch(|this| walk::walk_switch_case(this, it));
    }

    fn visit_catch_clause(&mut self, it: &CatchClause<'a>) {
        self.record_branch(it.span);
        self.within_branch(|this| walk::walk_catch_clause(this, it));
    }

    fn visit_assignment_pattern(&mut self, it: &AssignmentPattern<'a>) {
        self.record_branch(it.right.span());
        walk::walk_assignment_pattern(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        if it.operator.is_logical() {
            self.record_branch(it.right.span());
        }
        walk::walk_assignment_expression(self, it);
    }

    /// After a return in a branch, the rest of the function may not be reached. A run that throws
    /// is not successful, so `throw` changes nothing.
    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        if self.depth > 0 {
            let end = self.ends.last().copied().unwrap_or(u32::MAX);
            if it.span.end < end {
                self.record_branch(Span::new(it.span.end, end));
            }
        }
        walk::walk_return_statement(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let (BindingPattern::BindingIdentifier(name), Some(value)) = (&it.id, &it.init) {
            let value = value.get_inner_expression();
            if matches!(
                value,
                Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_)
            ) {
                self.name = Some((value.span(), name.name.to_string()));
            }
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let at = it.span.start;
        self.record_use(&it.callee, at);
        for argument in it.arguments.iter().filter_map(Argument::as_expression) {
            self.record_use(argument, at);
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        for argument in it.arguments.iter().filter_map(Argument::as_expression) {
            self.record_use(argument, it.span.start);
        }
        walk::walk_new_expression(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let name = it.id.as_ref().map(|id| id.name.to_string());
        self.within_function(it.span, name, |this| walk::walk_function(this, it, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.within_function(it.span, None, |this| {
            walk::walk_arrow_function_expression(this, it);
        });
    }

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
}
