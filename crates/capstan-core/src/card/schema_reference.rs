//! Follows `$ref` in the schemas of cards.

use serde_json::Value;

/// A longer row of references is taken for a cycle.
const MAX_REFERENCES: usize = 16;

/// Returns the schema that a part of `root` refers to in the end; the part itself if it refers to nothing in this
/// document.
pub fn resolve_reference<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..MAX_REFERENCES {
        let target = schema
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|reference| reference.strip_prefix('#'))
            .and_then(|pointer| root.pointer(pointer));
        match target {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_are_followed_to_their_end() {
        let root = json!({"$defs": {
            "name": {"type": "string"},
            "alias": {"$ref": "#/$defs/name"},
            "one": {"$ref": "#/$defs/two"},
            "two": {"$ref": "#/$defs/one"},
        }});
        let follow = |reference: &str| {
            let schema = json!({"$ref": reference});
            resolve_reference(&schema, &root).clone()
        };
        assert_eq!(follow("#/$defs/alias"), json!({"type": "string"}));
        assert_eq!(follow("#/$defs/none"), json!({"$ref": "#/$defs/none"}));
        assert_eq!(follow("other.json"), json!({"$ref": "other.json"}));
        assert!(follow("#/$defs/one").get("$ref").is_some(), "a cycle ends");
    }
}
