//! Maps nested objects and rows of an output to the spelling of `output_schema`.

use serde_json::{Map, Value, json};

use capstan_core::card::resolve_reference;
use capstan_core::expr::Expr;
use capstan_graphql::SelectedField;

use super::names;

/// How deep schemas are followed, because a `$ref` can lead back to itself.
const MAX_DEPTH: usize = 16;

/// How an answer spells the names of an object's fields.
#[derive(Clone, Copy)]
pub(super) enum AnswerNames<'a> {
    /// The fields that a GraphQL document selects.
    Selected(&'a [SelectedField]),
    /// `created_at`, as GitHub's REST API writes it.
    Snake,
    /// `createdAt`, as `gh --json` prints it.
    Camel,
}

impl<'a> AnswerNames<'a> {
    /// Returns the path of a field of the output and the names below it; `None` if the field is
    /// known to be missing. A list of GitHub's is an object whose `nodes` are the list.
    pub(super) fn find(self, name: &str, is_array: bool) -> Option<(String, AnswerNames<'a>)> {
        let usual = match self {
            AnswerNames::Selected(fields) => return find_selected(fields, name, is_array),
            AnswerNames::Snake => names::snake(name),
            AnswerNames::Camel => names::camel(name),
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
    fields: &'a [SelectedField],
    name: &str,
    is_array: bool,
) -> Option<(String, AnswerNames<'a>)> {
    let key = names::find(name, fields.iter().map(|field| field.key.as_str()))?;
    let field = fields.iter().find(|field| field.key == key)?;
    let nodes = field.fields.iter().find(|field| field.key == "nodes");
    Some(match nodes {
        Some(nodes) if is_array => (format!("{key}.nodes"), AnswerNames::Selected(&nodes.fields)),
        _ => (key.to_owned(), AnswerNames::Selected(&field.fields)),
    })
}

/// Maps one field of an output. If all names below it agree, its value is taken as it is. Otherwise
/// it becomes an object or a list of objects with a mapping for each field.
pub(super) fn mapping(
    path: String,
    below: AnswerNames<'_>,
    schema: &Value,
    whole: &Value,
) -> Value {
    at_depth(path, below, schema, whole, 0)
}

fn at_depth(
    path: String,
    below: AnswerNames<'_>,
    schema: &Value,
    whole: &Value,
    depth: usize,
) -> Value {
    let schema = resolve_reference(schema, whole);
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

/// Returns the mapping of each field of an object that the answer has; `None` if all names agree,
/// or if the names are not known.
fn fields(
    names: AnswerNames<'_>,
    schema: &Value,
    whole: &Value,
    depth: usize,
) -> Option<Map<String, Value>> {
    let properties = resolve_reference(schema, whole)
        .get("properties")?
        .as_object()?;
    // A leaf. The checker reports that it is not an object.
    let is_leaf = matches!(names, AnswerNames::Selected([]));
    if is_leaf || depth == MAX_DEPTH {
        return None;
    }
    let mut fields = Map::new();
    for (name, property) in properties {
        let is_array = has_type(resolve_reference(property, whole), "array");
        if let Some((path, below)) = names.find(name, is_array) {
            // A name that no expression can contain is taken as it is, together with the whole
            // object.
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

#[cfg(test)]
mod tests {
    use capstan_graphql::outline;

    use super::*;

    fn mapped(document: &str, schema: &Value) -> Value {
        let selected = outline(document).unwrap();
        mapping(
            "it".to_owned(),
            AnswerNames::Selected(&selected[0].fields),
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
        let mapped = mapping("it".to_owned(), AnswerNames::Camel, &schema, &schema);
        assert_eq!(
            mapped["fields"]["parent_item"]["from"],
            "parentItem | default(parent_item)"
        );
    }
}
