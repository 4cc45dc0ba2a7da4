//! Every place where code reads `args` or something below it.

use std::collections::HashMap;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, LogicalOperator, UnaryOperator};
use serde_json::Value;

use super::certain::Uncertain;
use super::property::{How, Property};
use super::types::Types;
use crate::reading::literals::literal;
use crate::reading::paths::{Path, Paths, Root, Step, static_key, without_types};

const LENGTH: &str = "length";

pub(crate) struct Reads<'p, 'a, 's> {
    paths: &'p Paths<'a, 's>,
    types: Types<'a, 's>,
    uncertain: Uncertain,
    /// Where the code is that is looked at.
    at: u32,
    root: Property,
    /// How expressions that are still to come are read, as what is around them says.
    expected: HashMap<Span, How>,
}

impl<'p, 'a, 's> Reads<'p, 'a, 's> {
    pub(crate) fn new(program: &Program<'a>, paths: &'p Paths<'a, 's>) -> Self {
        Self {
            paths,
            types: Types::new(program, paths.scoping()),
            uncertain: Uncertain::of(program),
            at: 0,
            root: Property::default(),
            expected: HashMap::new(),
        }
    }

    pub(crate) fn into_root(self) -> Property {
        self.root
    }

    fn args(&self, expression: &Expression<'_>) -> Option<Vec<Step>> {
        let path = self.paths.path(expression)?;
        (path.root == Root::Args).then_some(path.steps)
    }

    /// As `args`, where it is enough that the value may come from there.
    fn possible_args(&self, expression: &Expression<'_>) -> Option<Vec<Step>> {
        let path = self.paths.possible_path(expression)?;
        (path.root == Root::Args).then_some(path.steps)
    }

    fn read(&mut self, steps: &[Step], how: How) {
        let certain = self.is_certain();
        if let Some((last, property)) = self.reach(steps) {
            let property = property.below(&last.name);
            property.read(how, certain);
        }
    }

    fn read_here(&mut self, steps: &[Step], how: How) {
        let certain = self.is_certain();
        self.property(steps).read(how, certain);
    }

    /// Whether every good run comes by here.
    fn is_certain(&self) -> bool {
        !self.uncertain.contains(self.at)
    }

    /// The object in which the last step is taken, which is read plainly up to there.
    fn reach<'t>(&mut self, steps: &'t [Step]) -> Option<(&'t Step, &mut Property)> {
        let (last, before) = steps.split_last()?;
        let certain = self.is_certain();
        let mut property = &mut self.root;
        for (index, step) in before.iter().enumerate() {
            property = property.below(&step.name);
            let next_is_optional = steps[index + 1].optional;
            if next_is_optional {
                property.may_be_null();
            }
            let how = if next_is_optional {
                How::Guard
            } else {
                How::Plain
            };
            property.read(how, certain);
        }
        // `args` itself is always there: who writes `args?.a` means that `a` may not be.
        if let ([], true) = (before, last.optional) {
            property.below(&last.name).may_be_absent();
        }
        Some((last, property))
    }

    fn property(&mut self, steps: &[Step]) -> &mut Property {
        below(&mut self.root, steps)
    }

    fn annotate(&mut self, steps: &[Step], type_: &TSType<'_>) {
        self.types.annotate(below(&mut self.root, steps), type_);
    }

    fn expect(&mut self, expression: &Expression<'_>, how: How) {
        let span = without_types(expression).span();
        self.expected.entry(span).or_insert(how);
    }

    /// The expression says whether something is done: it is looked whether a value is there.
    fn is_test(&mut self, expression: &Expression<'_>) {
        match without_types(expression) {
            Expression::LogicalExpression(it) => {
                self.is_test(&it.left);
                self.is_test(&it.right);
            }
            Expression::UnaryExpression(it) if it.operator == UnaryOperator::LogicalNot => {
                self.is_test(&it.argument);
            }
            other => self.is_guard(other),
        }
    }

    fn is_guard(&mut self, expression: &Expression<'_>) {
        if self.args(expression).is_some() {
            self.expect(expression, How::Guard);
        } else if let Some(steps) = self.possible_args(expression) {
            self.read(&steps, How::Guard);
        }
    }

    /// `args.a ?? args.b ?? "c"`: only the last has that default, and none must be there.
    fn falls_back(&mut self, expression: &Expression<'_>, default: Option<Value>) {
        match without_types(expression) {
            Expression::LogicalExpression(it) if it.operator != LogicalOperator::And => {
                self.falls_back(&it.left, None);
                self.falls_back(&it.right, default);
            }
            other if self.args(other).is_some() => self.expect(other, How::Default(default)),
            _ => {}
        }
    }

    /// `args.a === undefined ? 1 : args.a` and its like.
    fn is_default(&mut self, it: &ConditionalExpression<'_>) -> bool {
        let Some((tested, absent)) = self.absence(&it.test) else {
            return false;
        };
        let (given, default) = if absent {
            (&it.alternate, &it.consequent)
        } else {
            (&it.consequent, &it.alternate)
        };
        let same = |a: &[Step], b: &[Step]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.name == b.name)
        };
        let (Some(steps), Some(value)) = (self.args(given), literal(default, self.paths)) else {
            return false;
        };
        if !self.args(tested).is_some_and(|it| same(&it, &steps)) {
            return false;
        }
        self.expect(tested, How::Default(Some(value.clone())));
        self.expect(given, How::Default(Some(value)));
        true
    }

    /// What a test looks at, and whether it is true if that is absent.
    fn absence<'t, 'e>(&self, test: &'t Expression<'e>) -> Option<(&'t Expression<'e>, bool)> {
        match without_types(test) {
            Expression::BinaryExpression(it) => {
                let absent = match it.operator {
                    BinaryOperator::Equality | BinaryOperator::StrictEquality => true,
                    BinaryOperator::Inequality | BinaryOperator::StrictInequality => false,
                    _ => return None,
                };
                let tested = if is_nothing(&it.right) {
                    &it.left
                } else if is_nothing(&it.left) {
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

    /// What a pattern takes out of a value of `args`.
    fn destructure(&mut self, steps: &mut Vec<Step>, pattern: &BindingPattern<'_>) {
        match pattern {
            BindingPattern::BindingIdentifier(it) => {
                let how = if self.paths.is_alias(it) {
                    How::Named
                } else {
                    How::Plain
                };
                self.read_here(steps, how);
            }
            BindingPattern::ObjectPattern(it) => {
                self.read_here(steps, How::Plain);
                self.properties(steps, it);
            }
            BindingPattern::AssignmentPattern(it) => {
                let default = literal(&it.right, self.paths);
                self.read_here(steps, How::Default(default));
                if let BindingPattern::ObjectPattern(it) = &it.left {
                    self.properties(steps, it);
                }
            }
            BindingPattern::ArrayPattern(_) => self.read_here(steps, How::Plain),
        }
    }

    fn properties(&mut self, steps: &mut Vec<Step>, pattern: &ObjectPattern<'_>) {
        for property in &pattern.properties {
            // Lists and strings have a length as well.
            if let (false, Some(name)) = (property.computed, static_key(&property.key))
                && name != LENGTH
            {
                let optional = false;
                steps.push(Step { name, optional });
                self.destructure(steps, &property.value);
                steps.pop();
            }
        }
    }

    /// A value of `args` that gets other names: in a declaration, or as the argument of a function.
    fn named(
        &mut self,
        value: &Expression<'_>,
        pattern: &BindingPattern<'_>,
        type_: Option<&TSTypeAnnotation<'_>>,
    ) {
        let Some(mut steps) = self.args(value) else {
            return;
        };
        if let Some(type_) = type_ {
            self.annotate(&steps, &type_.type_annotation);
        }
        // It is read as the pattern says; what is around it may still have a type.
        self.expect(value, How::Named);
        self.destructure(&mut steps, pattern);
    }

    /// `main(args)`, where `main` is called nowhere else.
    fn arguments(&mut self, it: &CallExpression<'_>) {
        let Some(params) = self.paths.parameters(it) else {
            return;
        };
        for (param, argument) in params.items.iter().zip(&it.arguments) {
            if let (None, Some(value)) = (&param.initializer, argument.as_expression()) {
                self.named(value, &param.pattern, param.type_annotation.as_deref());
            }
        }
    }

    /// A method of a value: what is read is the value. JSON has no functions.
    fn method(&mut self, path: &Path) {
        if let Some((method, steps)) = path.steps.split_last() {
            let how = if method.optional {
                How::Guard
            } else {
                How::Plain
            };
            self.read(steps, how);
        }
    }

    /// Functions that tell whether something is there, or what it is.
    fn looks(&mut self, it: &CallExpression<'_>) {
        let arguments = it.arguments.iter().map(Argument::as_expression);
        let arguments: Vec<Option<&Expression<'_>>> = arguments.collect();
        let name = match &it.callee {
            Expression::Identifier(it) if self.paths.is_global(it) => it.name.as_str(),
            Expression::StaticMemberExpression(it) => it.property.name.as_str(),
            _ => return,
        };
        match (name, arguments.as_slice()) {
            ("Boolean" | "isArray", [Some(value), ..]) => self.is_guard(value),
            ("hasOwn", [Some(object), Some(key)]) => self.has(object, key),
            ("hasOwnProperty", [Some(key)]) => {
                if let Expression::StaticMemberExpression(it) = &it.callee {
                    self.has(&it.object, key);
                }
            }
            _ => {}
        }
    }

    fn has(&mut self, object: &Expression<'_>, key: &Expression<'_>) {
        if let (Some(mut steps), Some(name)) = (self.args(object), self.paths.key(key)) {
            steps.push(Step {
                name,
                optional: false,
            });
            self.read(&steps, How::Guard);
        }
    }

    /// The types that parts of a path are said to have: `(args as A).b`.
    fn typed_within(&mut self, expression: &Expression<'_>) {
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
            Expression::TSAsExpression(it) => self.typed(&it.expression, &it.type_annotation),
            Expression::TSSatisfiesExpression(it) => {
                self.typed(&it.expression, &it.type_annotation);
            }
            Expression::TSTypeAssertion(it) => self.typed(&it.expression, &it.type_annotation),
            _ => {}
        }
        self.typed_within(without_types(object));
    }

    fn typed(&mut self, expression: &Expression<'_>, type_: &TSType<'_>) {
        if let Some(steps) = self.args(expression) {
            self.annotate(&steps, type_);
        }
    }
}

impl<'v> Visit<'v> for Reads<'_, '_, '_> {
    fn visit_expression(&mut self, it: &Expression<'v>) {
        self.at = it.span().start;
        match it {
            Expression::TSAsExpression(it) => {
                self.typed(&it.expression, &it.type_annotation);
                return self.visit_expression(&it.expression);
            }
            Expression::TSSatisfiesExpression(it) => {
                self.typed(&it.expression, &it.type_annotation);
                return self.visit_expression(&it.expression);
            }
            Expression::TSTypeAssertion(it) => {
                self.typed(&it.expression, &it.type_annotation);
                return self.visit_expression(&it.expression);
            }
            Expression::TSNonNullExpression(it) => return self.visit_expression(&it.expression),
            _ => {}
        }
        let Some(mut steps) = self.args(it) else {
            return walk::walk_expression(self, it);
        };
        self.typed_within(it);
        let how = self.expected.remove(&it.span()).unwrap_or(How::Plain);
        if let Some(last) = steps.pop_if(|last| last.name == LENGTH) {
            let how = if last.optional {
                How::Guard
            } else {
                How::Plain
            };
            return self.read(&steps, how);
        }
        self.read(&steps, how);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'v>) {
        self.at = it.span.start;
        // `declare const args: …` says what a type checker cannot know.
        if let (BindingPattern::BindingIdentifier(name), Some(type_)) =
            (&it.id, &it.type_annotation)
            && name.name == "args"
            && self.paths.is_ambient(name)
        {
            self.annotate(&[], &type_.type_annotation);
        }
        if let Some(value) = &it.init {
            self.named(value, &it.id, it.type_annotation.as_deref());
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'v>) {
        self.at = it.span.start;
        self.looks(it);
        self.arguments(it);
        match self.paths.path(&it.callee) {
            Some(path) if path.root == Root::Args => {
                self.method(&path);
                self.typed_within(&it.callee);
                self.visit_arguments(&it.arguments);
            }
            _ => walk::walk_call_expression(self, it),
        }
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'v>) {
        if it.operator == LogicalOperator::And {
            self.is_test(&it.left);
        } else {
            let default = literal(&it.right, self.paths);
            self.falls_back(&it.left, default);
            // Only read where the left is absent.
            self.falls_back(&it.right, None);
        }
        walk::walk_logical_expression(self, it);
    }

    fn visit_conditional_expression(&mut self, it: &ConditionalExpression<'v>) {
        if !self.is_default(it) {
            self.is_test(&it.test);
        }
        walk::walk_conditional_expression(self, it);
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'v>) {
        self.is_test(&it.test);
        walk::walk_if_statement(self, it);
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'v>) {
        self.is_test(&it.test);
        walk::walk_while_statement(self, it);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'v>) {
        let looks = matches!(
            it.operator,
            UnaryOperator::LogicalNot | UnaryOperator::Typeof | UnaryOperator::Delete
        );
        if looks {
            self.is_guard(&it.argument);
        }
        walk::walk_unary_expression(self, it);
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'v>) {
        if it.operator.is_equality() {
            if is_nothing(&it.right) {
                self.is_guard(&it.left);
            }
            if is_nothing(&it.left) {
                self.is_guard(&it.right);
            }
        }
        if it.operator == BinaryOperator::In {
            self.has(&it.right, &it.left);
        }
        walk::walk_binary_expression(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'v>) {
        let falls_back = matches!(
            it.operator,
            AssignmentOperator::LogicalNullish | AssignmentOperator::LogicalOr
        );
        if falls_back && let Some(member) = it.left.as_member_expression() {
            self.assigned_if_absent(member, literal(&it.right, self.paths));
        }
        walk::walk_assignment_expression(self, it);
    }

    fn visit_ts_type(&mut self, _: &TSType<'v>) {}
}

impl Reads<'_, '_, '_> {
    /// `args.a ??= 1`.
    fn assigned_if_absent(&mut self, member: &MemberExpression<'_>, default: Option<Value>) {
        let (Some(mut steps), Some(name)) =
            (self.args(member.object()), member.static_property_name())
        else {
            return;
        };
        let name = name.to_string();
        steps.push(Step {
            name,
            optional: false,
        });
        self.read(&steps, How::Default(default));
        self.property(&steps).is_filled_in();
    }
}

fn below<'r>(root: &'r mut Property, steps: &[Step]) -> &'r mut Property {
    steps.iter().fold(root, |it, step| it.below(&step.name))
}

/// `null`, `undefined`, `void 0`, and what `typeof` says of it.
fn is_nothing(expression: &Expression<'_>) -> bool {
    match without_types(expression) {
        Expression::NullLiteral(_) => true,
        Expression::Identifier(it) => it.name == "undefined",
        Expression::StringLiteral(it) => it.value == "undefined",
        Expression::UnaryExpression(it) => it.operator == UnaryOperator::Void,
        _ => false,
    }
}
