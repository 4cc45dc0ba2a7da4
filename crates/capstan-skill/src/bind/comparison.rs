//! Finds comparisons whose result is the same for all possible values.

use capstan_core::expr::{Comparison, Expr, Filter, Path};
use capstan_schema::{Schema, Type, TypeSet, describe};
use serde_json::Value;

use super::satisfiable::{can_be_true, values_of};
use super::types::Ty;
use crate::render::expression;

/// The largest number of values that a message lists; the rest is left out.
const MOST_NAMED: usize = 8;

/// An operand of a comparison, and whether it is written as a literal.
#[derive(Clone, Copy)]
pub(super) struct Operand<'a> {
    pub(super) ty: &'a Ty,
    pub(super) is_literal: bool,
}

/// Returns the reason why a comparison is pointless.
pub(super) fn senseless_comparison(
    comparison: Comparison,
    left: Operand<'_>,
    right: Operand<'_>,
) -> Option<String> {
    let is_right_literal = right.is_literal;
    let (left, right) = (left.ty, right.ty);
    let (one, other) = (left.schema()?.types(), right.schema()?.types());
    let compares = || format!("compares {} with {}", left.words(), right.words());
    match comparison {
        Comparison::Equal | Comparison::NotEqual => {
            let always = match comparison {
                Comparison::Equal => "never true",
                _ => "always true",
            };
            if !types_can_be_equal(left, right, one, other) {
                return Some(format!("{}, so it is {always}", compares()));
            }
            // Both sides may have a single possible value. The message then names the literal.
            let (first, second) = if is_right_literal {
                (right, left)
            } else {
                (left, right)
            };
            let impossible =
                impossible_value(first, second).or_else(|| impossible_value(second, first));
            impossible.map(|(value, schema)| {
                let expected = describe(schema);
                format!(
                    "compares with {value}, which the other side can never be (it is {expected}), so it is \
                     {always}"
                )
            })
        }
        Comparison::Less
        | Comparison::LessOrEqual
        | Comparison::Greater
        | Comparison::GreaterOrEqual => {
            let both = |kind: TypeSet| one.meets(kind) && other.meets(kind);
            let can_be = both(numbers()) || both(TypeSet::of(Type::String));
            (!can_be).then(|| {
                let order = "only two numbers or two texts have an order";
                format!("{}, so it is never true: {order}", compares())
            })
        }
        Comparison::In if !other.contains(Type::Array) => {
            let words = right.words();
            Some(format!(
                "looks for something in {words}, which is not a list, so it is never true"
            ))
        }
        Comparison::In => {
            let schema = left.schema()?;
            let values = literal(right)?.as_array()?;
            let impossible = values
                .iter()
                .find(|value| is_impossible(left, schema, value))?;
            let expected = describe(schema);
            Some(format!(
                "looks for {impossible}, which the value can never be (it is {expected})"
            ))
        }
        Comparison::SubsetOf => {
            let can_be = one.contains(Type::Array) && other.contains(Type::Array);
            (!can_be).then(|| format!("{}: `subset_of` needs two lists", compares()))
        }
    }
}

/// Returns the reason why a condition has the same result for all values. Callers ask only if no part of the
/// condition is itself constant.
pub(super) fn never_changes(condition: &Expr, type_of: &dyn Fn(&Path) -> Ty) -> Option<String> {
    let is_possible = can_be_true(condition, type_of);
    match condition {
        Expr::Compare(comparison, left, right) => {
            let always = match comparison {
                _ if !is_possible => "never true",
                Comparison::NotEqual => {
                    let opposite = Expr::Not(Box::new(condition.clone()));
                    if can_be_true(&opposite, type_of) {
                        return None;
                    }
                    "always true"
                }
                _ => return None,
            };
            let operand = match left.as_ref() {
                Expr::Literal(_) => right,
                _ => left,
            };
            let why = can_be(operand, type_of).map(|why| format!(": {why}"));
            Some(format!("is {always}{}", why.unwrap_or_default()))
        }
        _ if is_possible => None,
        Expr::And(..) => Some("is never true: its parts exclude each other".to_owned()),
        Expr::Not(_) => Some("is never true: what it negates always holds".to_owned()),
        _ => None,
    }
}

/// Describes the possible values of an operand in words.
fn can_be(operand: &Expr, type_of: &dyn Fn(&Path) -> Ty) -> Option<String> {
    let name = expression(operand);
    if let Some(values) = values_of(operand, type_of) {
        let shown = values.iter().take(MOST_NAMED).map(Value::to_string);
        let mut shown: Vec<_> = shown.collect();
        if values.len() > MOST_NAMED {
            shown.push("…".to_owned());
        }
        let only = if values.len() == 1 { "" } else { "one of " };
        return Some(format!("`{name}` is {only}{}", shown.join(", ")));
    }
    match operand {
        Expr::Filtered(_, Filter::Upper) => Some("`upper` gives no small letters".to_owned()),
        Expr::Filtered(_, Filter::Lower) => Some("`lower` gives no capital letters".to_owned()),
        Expr::Path(path) => bounds(&type_of(path)).map(|bounds| format!("`{name}` is {bounds}")),
        _ => None,
    }
}

fn bounds(ty: &Ty) -> Option<String> {
    let node = ty.schema()?.node();
    let bound = |key: &str, words: &str| {
        let value = node.get(key).filter(|value| value.is_number())?;
        Some(format!("{words} {value}"))
    };
    let all = [
        bound("minimum", "at least"),
        bound("exclusiveMinimum", "above"),
        bound("maximum", "at most"),
        bound("exclusiveMaximum", "below"),
    ];
    let all: Vec<_> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(" and "))
}

fn types_can_be_equal(left: &Ty, right: &Ty, one: TypeSet, other: TypeSet) -> bool {
    let meet = |left: TypeSet, right: TypeSet| {
        left.meets(right) || (left.meets(numbers()) && right.meets(numbers()))
    };
    // An absent value equals null.
    let null = TypeSet::of(Type::Null);
    let absent = |ty: &Ty, types: TypeSet| !ty.always && types.meets(null);
    meet(one, other) || absent(left, other) || absent(right, one)
}

/// Returns a literal that the other side can never equal, with the schema of that side.
fn impossible_value<'a>(one: &'a Ty, other: &'a Ty) -> Option<(&'a Value, Schema<'a>)> {
    let value = literal(one)?;
    let schema = other.schema()?;
    is_impossible(other, schema, value).then_some((value, schema))
}

fn is_impossible(ty: &Ty, schema: Schema<'_>, value: &Value) -> bool {
    // An absent value equals null.
    let is_absent = !ty.always && value.is_null();
    !is_absent && schema.accepts(value) == Some(false)
}

fn literal(ty: &Ty) -> Option<&Value> {
    ty.schema()?.node().get("const")
}

fn numbers() -> TypeSet {
    TypeSet::of(Type::Number).union(TypeSet::of(Type::Integer))
}
