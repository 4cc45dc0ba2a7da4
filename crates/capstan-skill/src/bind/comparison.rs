//! Comparisons that come out the same for all values that there can be.

use capstan_core::expr::Comparison;
use capstan_schema::{Schema, Type, TypeSet, describe};
use serde_json::Value;

use super::types::Ty;

/// Why a comparison cannot mean anything.
pub(super) fn senseless(comparison: Comparison, left: &Ty, right: &Ty) -> Option<String> {
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
            let impossible =
                impossible_value(left, right).or_else(|| impossible_value(right, left));
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
                "looks for something in {words}, which is no list, so it is never true"
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

fn types_can_be_equal(left: &Ty, right: &Ty, one: TypeSet, other: TypeSet) -> bool {
    let meet = |left: TypeSet, right: TypeSet| {
        left.meets(right) || (left.meets(numbers()) && right.meets(numbers()))
    };
    // What is absent is equal to null.
    let null = TypeSet::of(Type::Null);
    let absent = |ty: &Ty, types: TypeSet| !ty.always && types.meets(null);
    meet(one, other) || absent(left, other) || absent(right, one)
}

/// A literal that the other side can never be, with what that side can be.
fn impossible_value<'a>(one: &'a Ty, other: &'a Ty) -> Option<(&'a Value, Schema<'a>)> {
    let value = literal(one)?;
    let schema = other.schema()?;
    is_impossible(other, schema, value).then_some((value, schema))
}

fn is_impossible(ty: &Ty, schema: Schema<'_>, value: &Value) -> bool {
    // What is absent is equal to null.
    let is_absent = !ty.always && value.is_null();
    !is_absent && schema.accepts(value) == Some(false)
}

fn literal(ty: &Ty) -> Option<&Value> {
    ty.schema()?.node().get("const")
}

fn numbers() -> TypeSet {
    TypeSet::of(Type::Number).union(TypeSet::of(Type::Integer))
}
