//! Merges schemas: those that all apply, and those of which one applies.

use serde_json::Value;

use super::{Kind, Object, Schema};

/// Returns an object that satisfies both.
pub(super) fn both(left: Object, right: Object) -> Object {
    let mut all = left;
    for (name, schema) in right.fields {
        all.fields.insert(name, schema);
    }
    all.required.extend(right.required);
    all.values = all.values.or(right.values);
    all
}

/// Returns a schema for values that satisfy one of several.
pub(super) fn one_of(choices: Vec<Schema>) -> Schema {
    let is_nullable = choices.iter().any(|choice| choice.is_nullable);
    let mut merged: Vec<Schema> = Vec::new();
    for mut choice in flattened(choices) {
        choice.is_nullable = false;
        if let Some(known) = merged.iter_mut().find(|known| known.is_mergeable(&choice)) {
            let left = std::mem::replace(known, Schema::any());
            *known = merge(left, choice);
        } else {
            merged.push(choice);
        }
    }
    let mut schema = match merged.len() {
        0 => Schema::any(),
        1 => merged.swap_remove(0),
        _ if merged.iter().any(|choice| choice.kind == Kind::Any) => Schema::any(),
        _ => Schema::new(Kind::Choice(merged)),
    };
    schema.is_nullable = is_nullable;
    schema
}

fn flattened(choices: Vec<Schema>) -> Vec<Schema> {
    let mut flat = Vec::new();
    for choice in choices {
        match choice.kind {
            Kind::Choice(inner) => flat.extend(inner),
            kind => flat.push(Schema { kind, ..choice }),
        }
    }
    flat
}

impl Schema {
    fn is_mergeable(&self, other: &Self) -> bool {
        use Kind::{Boolean, Integer, List, Number, Object, Text, Values};
        match (&self.kind, &other.kind) {
            (Object(_), Object(_)) | (List(_), List(_)) | (Values(_), Values(_)) => true,
            (Integer | Number, Integer | Number) => true,
            (Text, Values(values)) | (Values(values), Text) => values.iter().all(Value::is_string),
            (Boolean, Values(values)) | (Values(values), Boolean) => values
                .iter()
                .all(|value| value == "true" || value == "false"),
            (left, right) => left == right,
        }
    }
}

/// Merges two schemas of the same kind into one that both fit.
fn merge(left: Schema, right: Schema) -> Schema {
    let is_deprecated = left.is_deprecated && right.is_deprecated;
    let kind = match (left.kind, right.kind) {
        (Kind::Object(left), Kind::Object(right)) => Kind::Object(either(left, right)),
        (Kind::List(left), Kind::List(right)) => Kind::List(Box::new(one_of(vec![*left, *right]))),
        (Kind::Values(left), Kind::Values(right)) => Kind::Values(union(left, right)),
        (Kind::Integer, Kind::Integer) => Kind::Integer,
        (Kind::Integer | Kind::Number, Kind::Integer | Kind::Number) => Kind::Number,
        (Kind::Text, Kind::Values(_)) | (Kind::Values(_), Kind::Text) => Kind::Text,
        (Kind::Boolean, _) | (_, Kind::Boolean) => Kind::Boolean,
        (kind, _) => kind,
    };
    Schema {
        kind,
        is_nullable: false,
        is_deprecated,
    }
}

/// Returns an object that has the fields of both; only what both require is required.
fn either(left: Object, right: Object) -> Object {
    let required = left.required.intersection(&right.required);
    let required = required.cloned().collect();
    let mut fields = left.fields;
    for (name, schema) in right.fields {
        let schema = match fields.get(&name) {
            Some(known) if *known == schema => continue,
            Some(known) => one_of(vec![known.clone(), schema]),
            None => schema,
        };
        fields.insert(name, schema);
    }
    Object {
        fields,
        required,
        values: left.values.or(right.values),
    }
}

fn union(mut left: Vec<Value>, right: Vec<Value>) -> Vec<Value> {
    for value in right {
        if !left.contains(&value) {
            left.push(value);
        }
    }
    left
}
