//! Outputs by name below the top: the objects and rows of an output in the spelling of `output_schema`.

use serde_json::{Map, Value, json};

use capstan_core::expr::Expr;
use capstan_graphql::Selected;

use super::names;

/// How deep schemas are followed; `$ref` can lead back to itself.
const MAX_DEPTH: usize = 16;

/// What is known about the names of an object in an answer.
#[derive(Clone, Copy)]
pub(super) enum Names<'a> {
    /// A GraphQL document selects these.
    Selected(&'a [Selected]),
    /// GitHub's REST API writes `created_at`.
    Snake,
    /// `gh --json` prints `createdAt`.
    Camel,
}

impl<'a> Names<'a> {
    /// Where a field of the output is, and the names below it; nothing if it is known to be missing. A list
    /// of GitHub's is an object whose `nodes` are the list.
    pub(super) fn find(self, name: &str, is_array: bool) -> Option<(String, Names<'a>)> {
        let usual = match self {
            Names::Selected(fields) => return find_selected(fields, name, is_array),
            Names::Snake => names::snake(name),
            Names::Camel => names::camel(name),
        };
        let path = if usual == name {
            usual
        } else {
            format!("{usual} | default({name})")
        };
        Some((path, self))
    }
}

fn find_selected<'a>(
    fields: &'a [Selected],
    name: &str,
    is_array: bool,
) -> Option<(String, Names<'a>)> {
    let key = names::find(name, fields.iter().map(|field| field.key.as_str()))?;
    let field = fields.iter().find(|field| field.key == key)?;
    let nodes = field.fields.iter().find(|field| field.key == "nodes");
    Some(match nodes {
        Some(nodes) if is_array => (format!("{key}.nodes"), Names::Selected(&nodes.fields)),
        _ => (key.to_owned(), Names::Selected(&field.fields)),
    })
}

/// Maps one field of an output. Its value is taken as it is where all names below it agree; else it is an
/// object or a list of objects with a mapping for each of their fields.
pub(super) fn mapping(path: String, below: Names<'_>, schema: &Value, whole: &Value) -> Value {
    at_depth(path, below, schema, whole, 0)
}

fn at_depth(path: String, below: Names<'_>, schema: &Value, whole: &Value, depth: usize) -> Value {
    let schema = resolve(schema, whole);
    let (source, schema) = match (has_type(schema, "array"), has_type(schema, "object")) {
        (true, false) => ("each", schema.get("items")),
        (false, true) => ("from", Some(schema)),
        _ => return Value::String(path),
    };
    let fields = schema.and_then(|schema| fields(below, schema, whole, depth));
    match fields {
        Some(fields) => json!({source: path, "fields": fields}),
        None => Value::String(path),
    }
}

/// The mapping of each field of an object that the answer has; nothing if all names agree, or if the
/// names cannot be told.
fn fields(
    names: Names<'_>,
    schema: &Value,
    whole: &Value,
    depth: usize,
) -> Option<Map<String, Value>> {
    let properties = resolve(schema, whole).get("properties")?.as_object()?;
    // A leaf: the checker reports that it is no object.
    let is_leaf = matches!(names, Names::Selected([]));
    if is_leaf || depth == MAX_DEPTH {
        return None;
    }
    let mut fields = Map::new();
    for (name, property) in properties {
        let is_array = has_type(resolve(property, whole), "array");
        if let Some((path, below)) = names.find(name, is_array) {
            // Names that no expression can have are taken as they are, with everything around them.
            Expr::parse(&path).ok()?;
            fields.insert(
                name.clone(),
                at_depth(path, below, property, whole, depth + 1),
            );
        }
    }
    let agree =
        fields.len() == properties.len() && fields.iter().all(|(name, mapping)| mapping == name);
    (!agree && !fields.is_empty()).then_some(fields)
}

pub(super) fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

pub(super) fn resolve<'a>(schema: &'a Value, whole: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..MAX_DEPTH {
        let target = schema
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|reference| reference.strip_prefix('#'))
            .and_then(|pointer| whole.pointer(pointer));
        match target {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use capstan_graphql::outline;

    use super::*;

    fn mapped(document: &str, schema: &Value) -> Value {
        let selected = outline(document).unwrap();
        mapping(
            "it".to_owned(),
            Names::Selected(&selected[0].fields),
            schema,
            schema,
        )
    }

    fn object(properties: &Value) -> Value {
        json!({"type": ["object", "null"], "properties": properties})
    }

    #[test]
    fn names_that_agree_need_no_mapping() {
        let schema = object(
            &json!({"number": {}, "author": {"type": "object", "properties": {"login": {}}}}),
        );
        assert_eq!(mapped("{ it { number author { login } } }", &schema), "it");
    }

    #[test]
    fn other_spellings_are_found_in_objects_and_rows_at_every_depth() {
        let schema = object(&json!({
            "due_on": {},
            "labels": {"type": "array", "items": object(&json!({"is_default": {}, "name": {}}))},
            "tags": {"type": "array", "items": {"type": "string"}},
        }));
        let document = "{ it { dueOn labels { nodes { isDefault name } } tags } }";
        assert_eq!(
            mapped(document, &schema),
            json!({"from": "it", "fields": {
                "due_on": "dueOn",
                "labels": {"each": "labels.nodes", "fields": {"is_default": "isDefault", "name": "name"}},
                "tags": "tags",
            }})
        );
    }

    #[test]
    fn what_is_not_selected_is_left_out_so_that_the_checker_sees_it() {
        let schema = object(&json!({"title": {}, "color": {}}));
        assert_eq!(
            mapped("{ it { title } }", &schema),
            json!({"from": "it", "fields": {"title": "title"}})
        );
    }

    #[test]
    fn a_schema_that_contains_itself_ends() {
        let schema = json!({"type": "object", "properties": {"parent_item": {"$ref": "#"}}});
        let mapped = mapping("it".to_owned(), Names::Camel, &schema, &schema);
        assert_eq!(
            mapped["fields"]["parent_item"]["from"],
            "parentItem | default(parent_item)"
        );
    }
}
