//! Objects inside answers that are told in one field: users by their login, repositories by their full name.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::description::{Kind, Object, Schema};
use crate::rules::Rules;

/// Returns the field that tells which object it is, and the word for its type.
pub(super) fn shortened<'a>(object: &Object, rules: &'a Rules) -> Option<(&'a str, String)> {
    let mut shortenings = rules.answer_fields.shorten.iter();
    let fitting = shortenings.find(|shortening| object.has_all(&shortening.has))?;
    let field = object.fields.get(&fitting.to)?;
    Some((fitting.to.as_str(), scalar_word(field)?))
}

/// Returns the words for a scalar type.
pub(crate) fn scalar_word(schema: &Schema) -> Option<String> {
    Some(match &schema.kind {
        Kind::Text => "string".to_owned(),
        Kind::Integer => "integer".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Values(values) => word_of_values(values).to_owned(),
        Kind::Choice(choices) => {
            let words: Option<BTreeSet<_>> = choices.iter().map(scalar_word).collect();
            let words: Vec<_> = words?.into_iter().collect();
            if words.iter().any(|word| word == "any") {
                return Some("any".to_owned());
            }
            words.join("|")
        }
        Kind::Any | Kind::List(_) | Kind::Object(_) => return None,
    })
}

fn word_of_values(values: &[Value]) -> &'static str {
    if values.iter().all(Value::is_string) {
        "string"
    } else if values.iter().all(Value::is_i64) {
        "integer"
    } else {
        "any"
    }
}
