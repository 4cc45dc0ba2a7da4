//! The names of properties and the values that stand in code.

use std::collections::BTreeSet;

use capstan_core::code::Mentions;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};

/// How deep sums of literals are computed. Each level looks at the whole sum again.
const DEEPEST_SUM: usize = 8;

/// Longer texts are not names of properties.
const LONGEST_NAME: usize = 64;

/// Collects what code without types mentions.
pub(crate) fn mentions(program: &Program<'_>) -> Mentions {
    let mut collector = Collector::default();
    collector.visit_program(program);
    let Collector {
        mut found,
        keys,
        has_dynamic_keys,
    } = collector;
    if has_dynamic_keys {
        let names = found.texts.iter().filter(|it| it.len() <= LONGEST_NAME);
        found.reads.extend(names.cloned());
    }
    // A key can be data: `Object.keys({ bug: 1 })`.
    found.texts.extend(keys);
    found.numbers.sort_by(f64::total_cmp);
    found.numbers.dedup();
    found
}

#[derive(Default)]
struct Collector {
    found: Mentions,
    keys: BTreeSet<String>,
    /// Properties are read by names that are not known before it runs: `issue[key]`, `Object.entries(issue)`.
    has_dynamic_keys: bool,
}

/// The value of an expression that is made of literals alone.
enum Constant {
    Text(String),
    Number(f64),
}

impl Collector {
    fn read_key(&mut self, key: &PropertyKey<'_>) {
        match key.static_name() {
            Some(name) => {
                self.found.reads.insert(name.into_owned());
            }
            None => self.has_dynamic_keys = true,
        }
    }

    fn write_key(&mut self, name: String) {
        self.keys.insert(name.clone());
        self.found.writes.insert(name);
    }

    fn number(&mut self, value: f64) {
        if value.is_finite() {
            self.found.numbers.push(value);
        }
    }
}

impl<'a> Visit<'a> for Collector {
    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        self.found.reads.insert(it.property.name.to_string());
        walk::walk_static_member_expression(self, it);
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        match constant(&it.expression, DEEPEST_SUM) {
            Some(Constant::Text(name)) => {
                self.found.reads.insert(name);
            }
            Some(Constant::Number(_)) => {}
            None => self.has_dynamic_keys = true,
        }
        walk::walk_computed_member_expression(self, it);
    }

    fn visit_binding_property(&mut self, it: &BindingProperty<'a>) {
        self.read_key(&it.key);
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
        self.read_key(&it.name);
        walk::walk_assignment_target_property_property(self, it);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        if let Some(name) = it.key.static_name() {
            self.write_key(name.into_owned());
        }
        walk::walk_object_property(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        match (&it.left, it.operator) {
            (AssignmentTarget::StaticMemberExpression(member), AssignmentOperator::Assign) => {
                self.write_key(member.property.name.to_string());
                self.visit_expression(&member.object);
                self.visit_expression(&it.right);
            }
            _ => walk::walk_assignment_expression(self, it),
        }
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        match binary(it, DEEPEST_SUM) {
            Some(Constant::Text(text)) => {
                self.found.texts.insert(text);
            }
            Some(Constant::Number(value)) => self.number(value),
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
        self.number(it.value);
    }

    fn visit_big_int_literal(&mut self, it: &BigIntLiteral<'a>) {
        if let Ok(value) = it.value.parse() {
            self.number(value);
        }
    }
}

fn constant(expression: &Expression<'_>, deep: usize) -> Option<Constant> {
    match expression.without_parentheses() {
        Expression::StringLiteral(it) => Some(Constant::Text(it.value.to_string())),
        Expression::NumericLiteral(it) => Some(Constant::Number(it.value)),
        Expression::TemplateLiteral(it) => {
            let text = it.single_quasi()?;
            Some(Constant::Text(text.to_string()))
        }
        Expression::BinaryExpression(it) => binary(it, deep.checked_sub(1)?),
        _ => None,
    }
}

fn binary(it: &BinaryExpression<'_>, deep: usize) -> Option<Constant> {
    // What stands on the right is short where many are added.
    let right = constant(&it.right, deep)?;
    let left = constant(&it.left, deep)?;
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
