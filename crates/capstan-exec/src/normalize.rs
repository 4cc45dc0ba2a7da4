//! Maps GitHub's answer to the card's output.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use capstan_core::card::{FieldMapping, Output};
use capstan_core::expr::{Expr, Scope};

/// Returns the value at the output's root; `None` if it is null, absent, or does not meet the requirement. Without a root
/// it is the whole answer, which may be empty: some writes answer with nothing.
pub(crate) fn root_of<'a>(
    output: &Output,
    answer: &'a Value,
    variables: &'a Map<String, Value>,
) -> Option<Cow<'a, Value>> {
    let root = match &output.root {
        Some(path) => path
            .find(&Scope::new(answer, variables))
            .filter(|root| !root.is_null())?,
        None => Cow::Borrowed(answer),
    };
    let there = |require: &Expr| require.holds(&Scope::new(&root, variables));
    output.require.as_ref().is_none_or(there).then_some(root)
}

/// Returns the output's fields, read from its root. Objects omit fields without a value. Rows of a list keep them as
/// null, so that all rows have the same columns.
pub(crate) fn fields_of(
    output: &Output,
    root: &Value,
    variables: &Map<String, Value>,
) -> Map<String, Value> {
    object(&output.fields, &Scope::new(root, variables), Nulls::Drop)
}

#[derive(Clone, Copy, PartialEq)]
enum Nulls {
    Drop,
    Keep,
    /// Keeps a null, and omits a missing value.
    AsTheyAre,
}

fn object(
    fields: &IndexMap<String, FieldMapping>,
    scope: &Scope<'_>,
    nulls: Nulls,
) -> Map<String, Value> {
    fields
        .iter()
        .filter_map(|(name, mapping)| {
            let value = field(mapping, scope);
            let value = match nulls {
                Nulls::Drop => value.filter(|value| !value.is_null())?,
                Nulls::Keep => value.unwrap_or(Value::Null),
                Nulls::AsTheyAre => value?,
            };
            Some((name.clone(), value))
        })
        .collect()
}

fn field(mapping: &FieldMapping, scope: &Scope<'_>) -> Option<Value> {
    match mapping {
        FieldMapping::Value(expr) => expr.eval(scope),
        FieldMapping::Object(fields) => Some(Value::Object(object(fields, scope, Nulls::Drop))),
        FieldMapping::ObjectFrom { from, fields } => {
            let value = from.eval(scope)?;
            if value.is_null() {
                return Some(value);
            }
            let scope = scope.with_this(&value);
            Some(Value::Object(object(fields, &scope, Nulls::AsTheyAre)))
        }
        FieldMapping::Each { each, fields } => {
            let Some(Value::Array(items)) = each.eval(scope) else {
                return None;
            };
            let rows = items.iter().filter(|item| !item.is_null());
            Some(
                rows.map(|item| Value::Object(object(fields, &scope.with_this(item), Nulls::Keep)))
                    .collect(),
            )
        }
    }
}
