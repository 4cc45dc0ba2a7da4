//! Finds every place where code reads `args` or something below it.

use std::collections::HashMap;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, LogicalOperator, UnaryOperator};
use serde_json::Value;

use super::property::{Property, ReadKind};
use super::types::Types;
use super::uncertain::UncertainSpans;
use crate::reading::literals::literal;
use crate::reading::paths::{
    GlobalPath, GlobalPaths, GlobalRoot, PathStep, static_key, without_types,
};

const LENGTH: &str = "length";

pub(crate) struct ArgsReader<'p, 'a, 's> {
    paths: &'p GlobalPaths<'a, 's>,
    types: Types<'a, 's>,
    uncertain: UncertainSpans,
    /// The offset of the code that is being visited.
    offset: u32,
    root: Property,
    /// ReadKind expressions that are still to be visited are read, as determined by their context.
    expected: HashMap<Span, ReadKind>,
}

impl<'p, 'a, 's> ArgsReader<'p, 'a, 's> {
    pub(crate) fn new(program: &Program<'a>, paths: &'p GlobalPaths<'a, 's>) -> Self {
        Self {
            paths,
            types: Types::new(program, paths.scoping()),
            uncertain: UncertainSpans::from_program(program),
            offset: 0,
            root: Property::default(),
            expected: HashMap::new(),
        }
    }

    pub(crate) fn into_root(self) -> Property {
        self.root
    }

    fn args_path(&self, expression: &Expression<'_>) -> Option<Vec<PathStep>> {
        let path = self.paths.path(expression)?;
        (path.root == GlobalRoot::Args).then_some(path.steps)
    }

    /// Like `args_path`, but also returns paths from which the value only may come.
    fn possible_args(&self, expression: &Expression<'_>) -> Option<Vec<PathStep>> {
        let path = self.paths.possible_path(expression)?;
        (path.root == GlobalRoot::Args).then_some(path.steps)
    }

    fn record_read(&mut self, steps: &[PathStep], kind: ReadKind) {
        let is_certain = self.is_certain();
        if let Some((last, property)) = self.reach(steps) {
            let property = property.child(&last.name);
            property.record_read(kind, is_certain);
        }
    }

    fn record_read_at(&mut self, steps: &[PathStep], kind: ReadKind) {
        let is_certain = self.is_certain();
        self.property(steps).record_read(kind, is_certain);
    }

    /// Returns whether every successful run reaches this place.
    fn is_certain(&self) -> bool {
        !self.uncertain.contains(self.offset)
    }

    /// Returns the object that has the last step, and records the reads of all steps before.
    fn reach<'t>(&mut self, steps: &'t [PathStep]) -> Option<(&'t PathStep, &mut Property)> {
        let (last, before) = steps.split_last()?;
        let is_certain = self.is_certain();
        let mut property = &mut self.root;
        for (index, step) in before.iter().enumerate() {
            property = property.child(&step.name);
            let next_is_optional = steps[index + 1].is_optional;
            if next_is_optional {
                property.set_nullable();
            }
            let kind = if next_is_optional {
                ReadKind::Guard
            } else {
                ReadKind::Plain
            };
            property.record_read(kind, is_certain);
        }
        // `args` itself always exists: `args?.a` means that `a` may be absent.
        if let ([], true) = (before, last.is_optional) {
            property.child(&last.name).set_optional();
        }
        Some((last, property))
    }

    fn property(&mut self, steps: &[PathStep]) -> &mut Property {
        descendant(&mut self.root, steps)
    }

    fn annotate(&mut self, steps: &[PathStep], type_: &TSType<'_>) {
        self.types
            .annotate(descendant(&mut self.root, steps), type_);
    }

    fn expect_read(&mut self, expression: &Expression<'_>, kind: ReadKind) {
        let span = without_types(expression).span();
        self.expected.entry(span).or_insert(kind);
    }

    /// Records that an expression is a condition: its values are tested for presence.
    fn record_test(&mut self, expression: &Expression<'_>) {
        match without_types(expression) {
            Expression::LogicalExpression(it) => {
                self.record_test(&it.left);
                self.record_test(&it.right);
            }
            Expression::UnaryExpression(it) if it.operator == UnaryOperator::LogicalNot => {
                self.record_test(&it.argument);
            }
            other => self.record_guard(other),
        }
    }

    fn record_guard(&mut self, expression: &Expression<'_>) {
        if self.args_path(expression).is_some() {
            self.expect_read(expression, ReadKind::Guard);
        } else if let Some(steps) = self.possible_args(expression) {
            self.record_read(&steps, ReadKind::Guard);
        }
    }

    /// Records `args.a ?? args.b ?? "c"`: only the last has that default, and none is required.
    fn record_fallback(&mut self, expression: &Expression<'_>, default: Option<Value>) {
        match without_types(expression) {
            Expression::LogicalExpression(it) if it.operator != LogicalOperator::And => {
                self.record_fallback(&it.left, None);
                self.record_fallback(&it.right, default);
            }
            other if self.args_path(other).is_some() => {
                self.expect_read(other, ReadKind::Default(default));
            }
            _ => {}
        }
    }

    /// Records `args.a === undefined ? 1 : args.a` and similar defaults; returns whether it is one.
    fn record_default(&mut self, it: &ConditionalExpression<'_>) -> bool {
        let Some((tested, absent)) = self.absence_test(&it.test) else {
            return false;
        };
        let (given, default) = if absent {
            (&it.alternate, &it.consequent)
        } else {
            (&it.consequent, &it.alternate)
        };
        let is_same_path = |a: &[PathStep], b: &[PathStep]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.name == b.name)
        };
        let (Some(steps), Some(value)) = (self.args_path(given), literal(default, self.paths))
        else {
            return false;
        };
        if !self
            .args_path(tested)
            .is_some_and(|it| is_same_path(&it, &steps))
        {
            return false;
        }
        self.expect_read(tested, ReadKind::Default(Some(value.clone())));
        self.expect_read(given, ReadKind::Default(Some(value)));
        true
    }

    /// Returns what a condition tests, and whether the condition is true if that is absent.
    fn absence_test<'t, 'e>(&self, test: &'t Expression<'e>) -> Option<(&'t Expression<'e>, bool)> {
        match without_types(test) {
            Expression::BinaryExpression(it) => {
                let absent = match it.operator {
                    BinaryOperator::Equality | BinaryOperator::StrictEquality => true,
                    BinaryOperator::Inequality | BinaryOperator::StrictInequality => false,
                    _ => return None,
                };
                let tested = if is_null_or_undefined(&it.right) {
                    &it.left
                } else if is_null_or_undefined(&it.left) {
                    &it.right
                } else {
                    return None;
                };
                match without_types(tested) {
                    Expression::UnaryExpression(it) if it.operator == UnaryOperator::Typeof => {
                        Some((&it.argument, absent))
                    }
                    other => Some((other, absent)),
                }
            }
            Expression::UnaryExpression(it) if it.operator == UnaryOperator::LogicalNot => {
                Some((&it.argument, true))
            }
            other => Some((other, false)),
        }
    }

    /// Records what a pattern reads from a value of `args`.
    fn destructure(&mut self, steps: &mut Vec<PathStep>, pattern: &BindingPattern<'_>) {
        match pattern {
            BindingPattern::BindingIdentifier(it) => {
                let kind = if self.paths.is_alias(it) {
                    ReadKind::Alias
                } else {
                    ReadKind::Plain
                };
                self.record_read_at(steps, kind);
            }
            BindingPattern::ObjectPattern(it) => {
                self.record_read_at(steps, ReadKind::Plain);
                self.destructure_object(steps, it);
            }
            BindingPattern::AssignmentPattern(it) => {
                let default = literal(&it.right, self.paths);
                self.record_read_at(steps, ReadKind::Default(default));
                if let BindingPattern::ObjectPattern(it) = &it.left {
                    self.destructure_object(steps, it);
                }
            }
            BindingPattern::ArrayPattern(_) => self.record_read_at(steps, ReadKind::Plain),
        }
    }

    fn destructure_object(&mut self, steps: &mut Vec<PathStep>, pattern: &ObjectPattern<'_>) {
        for property in &pattern.properties {
            // Lists and strings have a length as well.
            if let (false, Some(name)) = (property.computed, static_key(&property.key))
                && name != LENGTH
            {
                let is_optional = false;
                steps.push(PathStep { name, is_optional });
                self.destructure(steps, &property.value);
                steps.pop();
            }
        }
    }

    /// Records aliases of a value of `args`: by a declaration, or as the argument of a function.
    fn record_alias(
        &mut self,
        value: &Expression<'_>,
        pattern: &BindingPattern<'_>,
        type_: Option<&TSTypeAnnotation<'_>>,
    ) {
        let Some(mut steps) = self.args_path(value) else {
            return;
        };
        if let Some(type_) = type_ {
            self.annotate(&steps, &type_.type_annotation);
        }
        // The pattern determines how it is read; the context may still add a type.
        self.expect_read(value, ReadKind::Alias);
        self.destructure(&mut steps, pattern);
    }

    /// Records `main(args)`, where `main` is called nowhere else.
    fn record_arguments(&mut self, it: &CallExpression<'_>) {
        let Some(params) = self.paths.parameters(it) else {
            return;
        };
        for (param, argument) in params.items.iter().zip(&it.arguments) {
            if let (None, Some(value)) = (&param.initializer, argument.as_expression()) {
                self.record_alias(value, &param.pattern, param.type_annotation.as_deref());
            }
        }
    }

    /// Records a method call, which reads the value: JSON has no functions.
    fn record_method_call(&mut self, path: &GlobalPath) {
        if let Some((method, steps)) = path.steps.split_last() {
            let kind = if method.is_optional {
                ReadKind::Guard
            } else {
                ReadKind::Plain
            };
            self.record_read(steps, kind);
        }
    }

    /// Records calls of functions that test whether something is present, or what it is.
    fn record_checks(&mut self, it: &CallExpression<'_>) {
        let arguments = it.arguments.iter().map(Argument::as_expression);
        let arguments: Vec<Option<&Expression<'_>>> = arguments.collect();
        let name = match &it.callee {
            Expression::Identifier(it) if self.paths.is_global(it) => it.name.as_str(),
            Expression::StaticMemberExpression(it) => it.property.name.as_str(),
            _ => return,
        };
        match (name, arguments.as_slice()) {
            ("Boolean" | "isArray", [Some(value), ..]) => self.record_guard(value),
            ("hasOwn", [Some(object), Some(key)]) => self.record_presence_check(object, key),
            ("hasOwnProperty", [Some(key)]) => {
                if let Expression::StaticMemberExpression(it) = &it.callee {
                    self.record_presence_check(&it.object, key);
                }
            }
            _ => {}
        }
    }

    fn record_presence_check(&mut self, object: &Expression<'_>, key: &Expression<'_>) {
        if let (Some(mut steps), Some(name)) = (self.args_path(object), self.paths.key(key)) {
            steps.push(PathStep {
                name,
                is_optional: false,
            });
            self.record_read(&steps, ReadKind::Guard);
        }
    }

    /// Records the types that casts give to parts of a path: `(args as A).b`.
    fn annotate_casts_within(&mut self, expression: &Expression<'_>) {
        let object = match expression {
            Expression::ChainExpression(it) => match it.expression.as_member_expression() {
                Some(member) => member.object(),
                None => return,
            },
            _ => match expression.as_member_expression() {
                Some(member) => member.object(),
                None => return,
            },
        };
        match object {
            Expression::TSAsExpression(it) => {
                self.annotate_cast(&it.expression, &it.type_annotation);
            }
            Expression::TSSatisfiesExpression(it) => {
                self.annotate_cast(&it.expression, &it.type_annotation);
            }
            Expression::TSTypeAssertion(it) => {
                self.annotate_cast(&it.expression, &it.type_annotation);
            }
            _ => {}
        }
        self.annotate_casts_within(without_types(object));
    }

    fn annotate_cast(&mut self, expression: &Expression<'_>, type_: &TSType<'_>) {
        if let Some(steps) = self.args_path(expression) {
            self.annotate(&steps, type_);
        }
    }
}

impl<'v> Visit<'v> for ArgsReader<'_, '_, '_> {
    fn visit_expression(&mut self, it: &Expression<'v>) {
        self.offset = it.span().start;
        match it {
            Expression::TSAsExpression(it) => {
                self.annotate_cast(&it.expression, &it.type_annotation);
                return self.visit_expression(&it.expression);
            }
            Expression::TSSatisfiesExpression(it) => {
                self.annotate_cast(&it.expression, &it.type_annotation);
                return self.visit_expression(&it.expression);
            }
            Expression::TSTypeAssertion(it) => {
                self.annotate_cast(&it.expression, &it.type_annotation);
                return self.visit_expression(&it.expression);
            }
            Expression::TSNonNullExpression(it) => return self.visit_expression(&it.expression),
            _ => {}
        }
        let Some(mut steps) = self.args_path(it) else {
            return walk::walk_expression(self, it);
        };
        self.annotate_casts_within(it);
        let kind = self.expected.remove(&it.span()).unwrap_or(ReadKind::Plain);
        if let Some(last) = steps.pop_if(|last| last.name == LENGTH) {
            let kind = if last.is_optional {
                ReadKind::Guard
            } else {
                ReadKind::Plain
            };
            return self.record_read(&steps, kind);
        }
        self.record_read(&steps, kind);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'v>) {
        self.offset = it.span.start;
        // `declare const args: …` declares what a type checker cannot know.
        if let (BindingPattern::BindingIdentifier(name), Some(type_)) =
            (&it.id, &it.type_annotation)
            && name.name == "args"
            && self.paths.is_ambient(name)
        {
            self.annotate(&[], &type_.type_annotation);
        }
        if let Some(value) = &it.init {
            self.record_alias(value, &it.id, it.type_annotation.as_deref());
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'v>) {
        self.offset = it.span.start;
        self.record_checks(it);
        self.record_arguments(it);
        match self.paths.path(&it.callee) {
            Some(path) if path.root == GlobalRoot::Args => {
                self.record_method_call(&path);
                self.annotate_casts_within(&it.callee);
                self.visit_arguments(&it.arguments);
            }
            _ => walk::walk_call_expression(self, it),
        }
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'v>) {
        if it.operator == LogicalOperator::And {
            self.record_test(&it.left);
        } else {
            let default = literal(&it.right, self.paths);
            self.record_fallback(&it.left, default);
            // The right side is only read where the left is absent.
            self.record_fallback(&it.right, None);
        }
        walk::walk_logical_expression(self, it);
    }

    fn visit_conditional_expression(&mut self, it: &ConditionalExpression<'v>) {
        if !self.record_default(it) {
            self.record_test(&it.test);
        }
        walk::walk_conditional_expression(self, it);
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'v>) {
        self.record_test(&it.test);
        walk::walk_if_statement(self, it);
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'v>) {
        self.record_test(&it.test);
        walk::walk_while_statement(self, it);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'v>) {
        let is_check = matches!(
            it.operator,
            UnaryOperator::LogicalNot | UnaryOperator::Typeof | UnaryOperator::Delete
        );
        if is_check {
            self.record_guard(&it.argument);
        }
        walk::walk_unary_expression(self, it);
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'v>) {
        if it.operator.is_equality() {
            if is_null_or_undefined(&it.right) {
                self.record_guard(&it.left);
            }
            if is_null_or_undefined(&it.left) {
                self.record_guard(&it.right);
            }
        }
        if it.operator == BinaryOperator::In {
            self.record_presence_check(&it.right, &it.left);
        }
        walk::walk_binary_expression(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'v>) {
        let is_fallback = matches!(
            it.operator,
            AssignmentOperator::LogicalNullish | AssignmentOperator::LogicalOr
        );
        if is_fallback && let Some(member) = it.left.as_member_expression() {
            self.record_default_assignment(member, literal(&it.right, self.paths));
        }
        walk::walk_assignment_expression(self, it);
    }

    fn visit_ts_type(&mut self, _: &TSType<'v>) {}
}

impl ArgsReader<'_, '_, '_> {
    /// Records `args.a ??= 1`.
    fn record_default_assignment(&mut self, member: &MemberExpression<'_>, default: Option<Value>) {
        let (Some(mut steps), Some(name)) = (
            self.args_path(member.object()),
            member.static_property_name(),
        ) else {
            return;
        };
        let name = name.to_string();
        steps.push(PathStep {
            name,
            is_optional: false,
        });
        self.record_read(&steps, ReadKind::Default(default));
        self.property(&steps).set_filled_in();
    }
}

fn descendant<'r>(root: &'r mut Property, steps: &[PathStep]) -> &'r mut Property {
    steps.iter().fold(root, |it, step| it.child(&step.name))
}

/// Returns whether it is `null`, `undefined`, `void 0`, or the string that `typeof` returns for
/// undefined.
fn is_null_or_undefined(expression: &Expression<'_>) -> bool {
    match without_types(expression) {
        Expression::NullLiteral(_) => true,
        Expression::Identifier(it) => it.name == "undefined",
        Expression::StringLiteral(it) => it.value == "undefined",
        Expression::UnaryExpression(it) => it.operator == UnaryOperator::Void,
        _ => false,
    }
}
