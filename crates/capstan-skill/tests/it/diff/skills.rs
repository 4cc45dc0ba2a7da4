//! Skills to compare.

use capstan_core::Source;
use capstan_skill::{Skill, read_text};
use serde_json::{Value, json};

/// Reads the skill in a text.
pub(super) fn skill(text: &str) -> Skill {
    let mut read = read_text(&Source::new("skill.yaml", text));
    assert_eq!(read.diagnostics, [], "{text}");
    assert_eq!(read.skills.len(), 1, "{text}");
    read.skills.remove(0)
}

/// Builds a skill with these fields besides its name.
pub(super) fn with(fields: Value) -> Skill {
    let mut whole = json!({"id": "sample", "level": 1});
    if let (Some(whole), Value::Object(fields)) = (whole.as_object_mut(), fields) {
        whole.extend(fields);
    }
    // JSON is YAML.
    skill(&whole.to_string())
}

/// Builds an object schema with these properties. Names that end in `!` are required.
pub(super) fn object(properties: &Value) -> Value {
    let mut named = serde_json::Map::new();
    let mut required = Vec::new();
    for (name, schema) in properties.as_object().into_iter().flatten() {
        let plain = name.trim_end_matches('!');
        if plain != name {
            required.push(plain.to_owned());
        }
        named.insert(plain.to_owned(), schema.clone());
    }
    json!({"type": "object", "properties": named, "required": required})
}
