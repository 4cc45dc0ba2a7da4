//! Literals in code as JSON.

use oxc_ast::ast::*;
use oxc_syntax::operator::UnaryOperator;
use serde_json::{Map, Number, Value};

use super::paths::{GlobalPaths, static_key, without_types};

/// Returns the value of a literal, of a list or an object of literals, or of a constant with such a
/// value.
pub(crate) fn literal(expression: &Expression<'_>, paths: &GlobalPaths<'_, '_>) -> Option<Value> {
    match without_types(expression) {
        Expression::Identifier(it) => {
            let value = literal_value(paths.constant(it)?)?;
            // Lists and objects may have changed since they were declared.
            (!value.is_array() && !value.is_object()).then_some(value)
        }
        other => literal_value(other),
    }
}

fn literal_value(expression: &Expression<'_>) -> Option<Value> {
    match without_types(expression) {
        Expression::StringLiteral(it) if !it.lone_surrogates => {
            Some(Value::String(it.value.to_string()))
        }
        Expression::TemplateLiteral(it) if it.expressions.is_empty() => {
            let element = it.quasis.first().filter(|it| !it.lone_surrogates)?;
            Some(Value::String(element.value.cooked?.to_string()))
        }
        Expression::NumericLiteral(it) => number(it.value),
        Expression::UnaryExpression(it) => match (it.operator, &it.argument) {
            (UnaryOperator::UnaryNegation, Expression::NumericLiteral(it)) => number(-it.value),
            (UnaryOperator::LogicalNot, Expression::NumericLiteral(it)) => {
                Some(Value::Bool(it.value == 0.0))
            }
            _ => None,
        },
        Expression::BooleanLiteral(it) => Some(Value::Bool(it.value)),
        Expression::NullLiteral(_) => Some(Value::Null),
        Expression::ArrayExpression(it) => {
            let elements = it.elements.iter();
            let values = elements.map(|element| literal_value(element.as_expression()?));
            values.collect::<Option<Vec<Value>>>().map(Value::Array)
        }
        Expression::ObjectExpression(it) => object_value(it).map(Value::Object),
        _ => None,
    }
}

fn object_value(it: &ObjectExpression<'_>) -> Option<Map<String, Value>> {
    let entries = it.properties.iter().map(|property| match property {
        ObjectPropertyKind::ObjectProperty(it) if !it.computed && !it.method => {
            Some((static_key(&it.key)?, literal_value(&it.value)?))
        }
        _ => None,
    });
    entries.collect()
}

/// Returns a JSON number; whole numbers have no fraction.
pub(crate) fn number(value: f64) -> Option<Value> {
    const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;
    if value.fract() == 0.0 && value.abs() <= MAX_SAFE_INTEGER {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and in range")]
        return Some(Value::from(value as i64));
    }
    Number::from_f64(value).map(Value::Number)
}
