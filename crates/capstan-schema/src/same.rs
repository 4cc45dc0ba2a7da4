//! Equality of JSON values as JSON Schema defines it: `1` equals `1.0`, and the order of properties does not
//! matter.

use std::cmp::Ordering;

use serde_json::Value;

use crate::budget::Budget;
use crate::number::Exact;

/// Whether two values are equal; `None` if the budget is exceeded.
pub(crate) fn same(one: &Value, two: &Value, budget: &Budget) -> Option<bool> {
    if std::ptr::eq(one, two) {
        return Some(true);
    }
    match (one, two) {
        (Value::Null, Value::Null) => Some(true),
        (Value::Bool(one), Value::Bool(two)) => Some(one == two),
        (Value::String(one), Value::String(two)) => budget.spend(1).then_some(one == two),
        (Value::Number(one), Value::Number(two)) => {
            let (one, two) = (Exact::from_number(one)?, Exact::from_number(two)?);
            Some(one.compare(two) == Ordering::Equal)
        }
        (Value::Array(one), Value::Array(two)) => {
            if one.len() != two.len() {
                return Some(false);
            }
            budget.deeper(|| all(one.iter().zip(two), |(one, two)| same(one, two, budget)))?
        }
        (Value::Object(one), Value::Object(two)) => {
            if one.len() != two.len() {
                return Some(false);
            }
            budget.deeper(|| {
                all(one.iter(), |(name, one)| match two.get(name) {
                    Some(two) => same(one, two, budget),
                    None => Some(false),
                })
            })?
        }
        _ => budget.spend(1).then_some(false),
    }
}

fn all<T>(items: impl Iterator<Item = T>, mut test: impl FnMut(T) -> Option<bool>) -> Option<bool> {
    for item in items {
        if !test(item)? {
            return Some(false);
        }
    }
    Some(true)
}
