//! From GitHub's answer to the card's output.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use capstan_core::card::{FieldMapping, Output};
use capstan_core::expr::{Expr, Scope};

/// The value at the output's root; nothing when it is null, absent, or not what it must be. Without
/// a root it is the whole answer, which may be empty: some writes have nothing to say.
pub(crate) fn root_of(
    output: &Output,
    answer: &Value,
    variables: &Map<String, Value>,
) -> Option<Value> {
    let root = match &output.root {
        Some(path) => path
            .eval(&Scope::new(answer, variables))
            .filter(|root| !root.is_null())?,
        None => answer.clone(),
    };
    let there = |require: &Expr| require.holds(&Scope::new(&root, variables));
    output.require.as_ref().is_none_or(there).then_some(root)
}

/// The output's fields, read from its root. Fields without a value are left out of objects; rows
/// of a list keep them as null, so that all rows have the same columns.
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
    /// A null stays, and what is not there stays away.
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
