//! What is known about one property of `args`.

use capstan_core::code::DECLARED;
use indexmap::IndexMap;
use serde_json::{Map, Value, json};

/// ReadKind a property is read in one place.
#[derive(Clone, Debug)]
pub(crate) enum ReadKind {
    /// Its value is used as it is.
    Plain,
    /// It gets another name, whose reads count.
    Alias,
    /// Its presence is tested, or does not matter.
    Guard,
    /// A default replaces it where it is absent; `None` if the default is no literal.
    Default(Option<Value>),
}

#[derive(Debug, Default)]
pub(crate) struct Property {
    children: IndexMap<String, Property>,
    /// The declared types as schemas; several contradict each other.
    types: Vec<Value>,
    defaults: Vec<Value>,
    /// Whether something below it is read, so that it must be an object.
    is_object: bool,
    /// Whether every successful run reads it.
    is_always_read: bool,
    /// Whether it is read somewhere without its default, or with an unknown one.
    is_read_without_default: bool,
    /// Whether the code sets it to its default, so that other reads see the default.
    is_filled_in: bool,
    may_be_absent: bool,
    may_be_null: bool,
}

impl Property {
    /// Returns the property of that name, and creates it if it is unknown.
    pub(crate) fn child(&mut self, name: &str) -> &mut Self {
        self.is_object = true;
        self.children.entry(name.to_owned()).or_default()
    }

    /// Records a read. `is_certain` means that every successful run reaches it.
    pub(crate) fn record_read(&mut self, kind: ReadKind, is_certain: bool) {
        match kind {
            ReadKind::Plain => {
                self.is_always_read |= is_certain;
                self.is_read_without_default = true;
            }
            // The reads of the other name count.
            ReadKind::Alias => {}
            ReadKind::Guard => {
                self.may_be_absent = true;
                self.is_read_without_default = true;
            }
            ReadKind::Default(value) => {
                self.may_be_absent = true;
                // An explicit null is passed on, and the code handles it in its own way.
                self.may_be_null = true;
                match value {
                    Some(value) if !self.defaults.contains(&value) => self.defaults.push(value),
                    Some(_) => {}
                    None => self.is_read_without_default = true,
                }
            }
        }
    }

    /// Records that it may be null: something below it is reached by `?.`, or its type allows it.
    pub(crate) fn set_nullable(&mut self) {
        self.may_be_null = true;
    }

    pub(crate) fn set_optional(&mut self) {
        self.may_be_absent = true;
    }

    pub(crate) fn set_filled_in(&mut self) {
        self.is_filled_in = true;
    }

    pub(crate) fn set_object(&mut self) {
        self.is_object = true;
    }

    pub(crate) fn add_type(&mut self, schema: Value) {
        if schema != json!({}) && !self.types.contains(&schema) {
            self.types.push(schema);
        }
    }

    /// Returns the schema of an object with these properties.
    pub(crate) fn object_schema(&self, with_required: bool) -> Value {
        let properties = self.children.iter();
        let properties: Map<String, Value> = properties
            .map(|(name, property)| (name.clone(), property.schema()))
            .collect();
        let mut schema = json!({ "type": "object", "properties": properties });
        let required: Vec<&String> = self
            .children
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
            // A schema that says more than a type was declared anyway.
            let has_only_type = schema.as_object().is_some_and(|it| it.len() == 1);
            let is_declared =
                !self.types.is_empty() && has_only_type && schema.get("type").is_some();
            schema["default"] = default.clone();
            if is_declared {
                schema[DECLARED] = json!(true);
            }
        }
        schema
    }

    /// Returns the default, if every read has the same one.
    fn default(&self) -> Option<&Value> {
        match self.defaults.as_slice() {
            [only] if self.is_filled_in || !self.is_read_without_default => Some(only),
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

/// Returns whether a default fits a schema, as far as the outermost type shows.
fn allows(schema: &Value, default: &Value) -> bool {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return default.is_null() || values.contains(default);
    }
    let default_type = type_of(default);
    match (schema.get("type"), default_type.get("type")) {
        (Some(Value::Array(types)), Some(expected)) => types.contains(expected),
        (Some(known), Some(expected)) => known == expected,
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
