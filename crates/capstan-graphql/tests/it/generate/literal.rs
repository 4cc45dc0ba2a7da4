//! A value, as written in a document and as sent in JSON.

use serde_json::{Map, Value, json};

#[derive(Debug, Clone)]
pub(super) enum Literal {
    Null,
    Int(i64),
    Float(&'static str),
    Boolean(bool),
    Text(String),
    /// A text that is written as a block string.
    Block(String),
    Enum(String),
    List(Vec<Literal>),
    Object(Vec<(String, Literal)>),
    Variable(String),
}

impl Literal {
    /// Returns the value in GraphQL's syntax.
    pub(super) fn graphql(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Int(number) => number.to_string(),
            Self::Float(number) => (*number).to_owned(),
            Self::Boolean(flag) => flag.to_string(),
            // All of JSON's escapes are valid in GraphQL.
            Self::Text(text) => json!(text).to_string(),
            Self::Block(text) => {
                format!(
                    "\"\"\"\n    {}\n  \"\"\"",
                    text.replace("\"\"\"", "\\\"\"\"")
                )
            }
            Self::Enum(name) => name.clone(),
            Self::Variable(name) => format!("${name}"),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::graphql).collect();
                format!("[{}]", items.join(" "))
            }
            Self::Object(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, value)| format!("{name}: {}", value.graphql()))
                    .collect();
                format!("{{{}}}", fields.join(", "))
            }
        }
    }

    /// Returns the value of a variable. It must not contain variables itself.
    pub(super) fn json(&self) -> Value {
        match self {
            Self::Null | Self::Variable(_) => Value::Null,
            Self::Int(number) => json!(number),
            Self::Float(number) => json!(number.parse::<f64>().unwrap()),
            Self::Boolean(flag) => json!(flag),
            Self::Text(text) | Self::Block(text) | Self::Enum(text) => json!(text),
            Self::List(items) => items.iter().map(Self::json).collect(),
            Self::Object(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), value.json()));
                Value::Object(fields.collect::<Map<_, _>>())
            }
        }
    }
}
