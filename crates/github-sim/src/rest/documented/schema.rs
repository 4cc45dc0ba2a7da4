//! What an input must look like: the part of JSON Schema that GitHub's description uses for inputs.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

/// The schema of an input. An absent part allows everything.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct InputSchema {
    #[serde(default, rename = "type")]
    pub(crate) types: Option<TypeNames>,
    #[serde(default, rename = "enum")]
    pub(crate) allowed: Vec<Value>,
    #[serde(default)]
    pub(crate) properties: IndexMap<String, InputSchema>,
    #[serde(default)]
    pub(crate) required: Vec<String>,
    #[serde(default)]
    pub(crate) items: Option<Box<InputSchema>>,
    #[serde(default, rename = "anyOf")]
    pub(crate) alternatives: Vec<InputSchema>,
    #[serde(default, rename = "minItems")]
    pub(crate) min_items: usize,
}

/// The names of the types that are allowed.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Value")]
pub(crate) struct TypeNames(pub(crate) Vec<String>);

impl From<Value> for TypeNames {
    fn from(value: Value) -> Self {
        let names = match value {
            Value::Array(names) => names,
            name => vec![name],
        };
        let names = names.iter().filter_map(Value::as_str);
        Self(names.map(str::to_owned).collect())
    }
}

impl InputSchema {
    /// Returns whether `value` has one of the allowed types; the parts of objects and lists are not looked at.
    pub(super) fn allows_type_of(&self, value: &Value) -> bool {
        self.types
            .as_ref()
            .is_none_or(|types| types.0.iter().any(|name| is_of_type(value, name)))
    }

    /// Returns the first allowed type for messages, for instance `an array`.
    pub(super) fn type_phrase(&self) -> String {
        let types = self.types.as_ref();
        let name = types.and_then(|types| types.0.first());
        let name = name.map_or("object", String::as_str);
        let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) {
            "an"
        } else {
            "a"
        };
        format!("{article} {name}")
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}
