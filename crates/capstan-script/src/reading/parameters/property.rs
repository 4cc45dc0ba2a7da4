//! What is known about one property of `args`.

use capstan_core::code::DECLARED;
use indexmap::IndexMap;
use serde_json::{Map, Value, json};

/// How a property is read in one place.
#[derive(Clone, Debug)]
pub(crate) enum How {
    /// Its value is used as it is.
    Plain,
    /// It gets another name, which is then read.
    Named,
    /// It is looked whether it is there, or it does not matter.
    Guard,
    /// With something else instead where it is absent; nothing if that is no literal.
    Default(Option<Value>),
}

#[derive(Debug, Default)]
pub(crate) struct Property {
    below: IndexMap<String, Property>,
    /// As schemas; several contradict each other.
    types: Vec<Value>,
    defaults: Vec<Value>,
    /// Nothing below it can be read if it is absent.
    is_object: bool,
    /// On the way of every good run.
    is_always_read: bool,
    /// Somewhere without its default, or with one that is not known.
    read_otherwise: bool,
    /// The code sets it to its default, so that other reads see that.
    is_filled_in: bool,
    may_be_absent: bool,
    may_be_null: bool,
}

impl Property {
    /// The property of that name, which is known from now on.
    pub(crate) fn below(&mut self, name: &str) -> &mut Self {
        self.is_object = true;
        self.below.entry(name.to_owned()).or_default()
    }

    /// `certain`: every good run comes by.
    pub(crate) fn read(&mut self, how: How, certain: bool) {
        match how {
            How::Plain => {
                self.is_always_read |= certain;
                self.read_otherwise = true;
            }
            // What the other name is read for counts.
            How::Named => {}
            How::Guard => {
                self.may_be_absent = true;
                self.read_otherwise = true;
            }
            How::Default(value) => {
                self.may_be_absent = true;
                // A given null is kept, and the code does with it what it does.
                self.may_be_null = true;
                match value {
                    Some(value) if !self.defaults.contains(&value) => self.defaults.push(value),
                    Some(_) => {}
                    None => self.read_otherwise = true,
                }
            }
        }
    }

    /// What is below it is reached by `?.`, or its type says so.
    pub(crate) fn may_be_null(&mut self) {
        self.may_be_null = true;
    }

    pub(crate) fn may_be_absent(&mut self) {
        self.may_be_absent = true;
    }

    pub(crate) fn is_filled_in(&mut self) {
        self.is_filled_in = true;
    }

    pub(crate) fn is_object(&mut self) {
        self.is_object = true;
    }

    pub(crate) fn has_type(&mut self, schema: Value) {
        if schema != json!({}) && !self.types.contains(&schema) {
            self.types.push(schema);
        }
    }

    /// The schema of an object with these properties.
    pub(crate) fn object_schema(&self, with_required: bool) -> Value {
        let properties = self.below.iter();
        let properties: Map<String, Value> = properties
            .map(|(name, property)| (name.clone(), property.schema()))
            .collect();
        let mut schema = json!({ "type": "object", "properties": properties });
        let required: Vec<&String> = self
            .below
            .iter()
            .filter(|(_, property)| property.is_always_read && !property.may_be_absent)
            .map(|(name, _)| name)
            .collect();
        if with_required && !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }

    fn schema(&self) -> Value {
        let default = self.default();
        let known = match self.types.as_slice() {
            [] if self.is_object => Some(self.object_schema(false)),
            [only] if !self.is_object => Some(only.clone()),
            [] => default.map(type_of),
            _ => None,
        };
        let fits = |schema: &Value| default.is_none_or(|default| allows(schema, default));
        let mut schema = known.filter(fits).unwrap_or_else(|| json!({}));
        if self.may_be_null {
            allow_null(&mut schema);
        }
        if let Some(default) = default {
            // What says more than a type cannot be a guess.
            let only_type = schema.as_object().is_some_and(|it| it.len() == 1);
            let is_declared = !self.types.is_empty() && only_type && schema.get("type").is_some();
            schema["default"] = default.clone();
            if is_declared {
                schema[DECLARED] = json!(true);
            }
        }
        schema
    }

    /// What every read has instead, where it is absent.
    fn default(&self) -> Option<&Value> {
        match self.defaults.as_slice() {
            [only] if self.is_filled_in || !self.read_otherwise => Some(only),
            _ => None,
        }
    }
}

fn type_of(value: &Value) -> Value {
    match value {
        Value::Null => json!({}),
        Value::Bool(_) => json!({ "type": "boolean" }),
        Value::Number(_) => json!({ "type": "number" }),
        Value::String(_) => json!({ "type": "string" }),
        Value::Array(_) => json!({ "type": "array" }),
        Value::Object(_) => json!({ "type": "object" }),
    }
}

/// Whether a default fits a type, as far as its outermost part tells.
fn allows(schema: &Value, default: &Value) -> bool {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return default.is_null() || values.contains(default);
    }
    let wanted = type_of(default);
    match (schema.get("type"), wanted.get("type")) {
        (Some(Value::Array(types)), Some(wanted)) => types.contains(wanted),
        (Some(known), Some(wanted)) => known == wanted,
        _ => true,
    }
}

fn allow_null(schema: &mut Value) {
    let null = json!("null");
    match schema.get_mut("type") {
        Some(Value::Array(types)) if !types.contains(&null) => types.push(null),
        Some(known @ Value::String(_)) if *known != null => {
            *known = Value::Array(vec![known.clone(), null]);
        }
        _ => {}
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    if let Some(Value::Array(options)) = schema.get_mut("anyOf") {
        let null = json!({ "type": "null" });
        if !options.contains(&null) {
            options.push(null);
        }
    }
}
