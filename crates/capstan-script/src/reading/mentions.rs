//! Collects the names of properties and the values in code.

use std::collections::BTreeSet;

use capstan_core::code::Mentions;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};

/// How deep sums of literals are computed. Each level evaluates the whole sum again.
const MAX_SUM_DEPTH: usize = 8;

/// Longer texts, in bytes, are not names of properties.
const MAX_NAME_BYTES: usize = 64;

/// Collects what code without types mentions.
pub(crate) fn mentions(program: &Program<'_>) -> Mentions {
    let mut collector = MentionCollector::default();
    collector.visit_program(program);
    let MentionCollector {
        mut found,
        keys,
        has_dynamic_keys,
    } = collector;
    if has_dynamic_keys {
        let names = found.texts.iter().filter(|it| it.len() <= MAX_NAME_BYTES);
        found.reads.extend(names.cloned());
    }
    // A key can be data: `Object.keys({ bug: 1 })`.
    found.texts.extend(keys);
    found.numbers.sort_by(f64::total_cmp);
    found.numbers.dedup();
    found
}

#[derive(Default)]
struct MentionCollector {
    found: Mentions,
    keys: BTreeSet<String>,
    /// Whether properties are read by names that are known only at run time: `issue[key]`,
    /// `Object.entries(issue)`.
    has_dynamic_keys: bool,
}

/// The value of an expression that consists of literals.
enum Constant {
    Text(String),
    Number(f64),
}

impl MentionCollector {
    fn record_read(&mut self, key: &PropertyKey<'_>) {
        match key.static_name() {
            Some(name) => {
                self.found.reads.insert(name.into_owned());
            }
            None => self.has_dynamic_keys = true,
        }
    }

    fn record_write(&mut self, name: String) {
        self.keys.insert(name.clone());
        self.found.writes.insert(name);
    }

    fn record_number(&mut self, value: f64) {
        if value.is_finite() {
            self.found.numbers.push(value);
        }
    }
}

impl<'a> Visit<'a> for MentionCollector {
    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        self.found.reads.insert(it.property.name.to_string());
        walk::walk_static_member_expression(self, it);
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        match constant(&it.expression, MAX_SUM_DEPTH) {
            Some(Constant::Text(name)) => {
                self.found.reads.insert(name);
            }
            Some(Constant::Number(_)) => {}
            None => self.has_dynamic_keys = true,
        }
        walk::walk_computed_member_expression(self, it);
    }

    fn visit_binding_property(&mut self, it: &BindingProperty<'a>) {
        self.record_read(&it.key);
        walk::walk_binding_property(self, it);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        it: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        self.found.reads.insert(it.binding.name.to_string());
        walk::walk_assignment_target_property_identifier(self, it);
    }

    fn visit_assignment_target_property_property(
        &mut self,
        it: &AssignmentTargetPropertyProperty<'a>,
    ) {
        self.record_read(&it.name);
        walk::walk_assignment_target_property_property(self, it);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        if let Some(name) = it.key.static_name() {
            self.record_write(name.into_owned());
        }
        walk::walk_object_property(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        match (&it.left, it.operator) {
            (AssignmentTarget::StaticMemberExpression(member), AssignmentOperator::Assign) => {
                self.record_write(member.property.name.to_string());
                self.visit_expression(&member.object);
                self.visit_expression(&it.right);
            }
            _ => walk::walk_assignment_expression(self, it),
        }
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        match binary_constant(it, MAX_SUM_DEPTH) {
            Some(Constant::Text(text)) => {
                self.found.texts.insert(text);
            }
            Some(Constant::Number(value)) => self.record_number(value),
            None => {}
        }
        walk::walk_binary_expression(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        if matches!(it.name.as_str(), "JSON" | "Object" | "Reflect") {
            self.has_dynamic_keys = true;
        }
    }

    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        self.found.texts.insert(it.value.to_string());
    }

    fn visit_template_element(&mut self, it: &TemplateElement<'a>) {
        let text = it.value.cooked.unwrap_or(it.value.raw);
        self.found.texts.insert(text.to_string());
    }

    fn visit_numeric_literal(&mut self, it: &NumericLiteral<'a>) {
        self.record_number(it.value);
    }

    fn visit_big_int_literal(&mut self, it: &BigIntLiteral<'a>) {
        if let Ok(value) = it.value.parse() {
            self.record_number(value);
        }
    }
}

fn constant(expression: &Expression<'_>, depth: usize) -> Option<Constant> {
    match expression.without_parentheses() {
        Expression::StringLiteral(it) => Some(Constant::Text(it.value.to_string())),
        Expression::NumericLiteral(it) => Some(Constant::Number(it.value)),
        Expression::TemplateLiteral(it) => {
            let text = it.single_quasi()?;
            Some(Constant::Text(text.to_string()))
        }
        Expression::BinaryExpression(it) => binary_constant(it, depth.checked_sub(1)?),
        _ => None,
    }
}

fn binary_constant(it: &BinaryExpression<'_>, depth: usize) -> Option<Constant> {
    // In a long sum the right side is short.
    let right = constant(&it.right, depth)?;
    let left = constant(&it.left, depth)?;
    Some(match (it.operator, left, right) {
        (BinaryOperator::Addition, Constant::Text(left), right) => {
            Constant::Text(left + &right.into_text())
        }
        (BinaryOperator::Addition, left, Constant::Text(right)) => {
            Constant::Text(left.into_text() + &right)
        }
        (operator, Constant::Number(left), Constant::Number(right)) => {
            Constant::Number(match operator {
                BinaryOperator::Addition => left + right,
                BinaryOperator::Subtraction => left - right,
                BinaryOperator::Multiplication => left * right,
                BinaryOperator::Division => left / right,
                _ => return None,
            })
        }
        _ => return None,
    })
}

impl Constant {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}
