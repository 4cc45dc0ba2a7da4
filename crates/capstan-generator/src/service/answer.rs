//! What the answer of an operation of a service is like.

use crate::build::{AnswerShape, ListShape};
use crate::description::{Answer, Method, Object, Operation, Place, Schema, is_json};

/// Names of lists that are the purpose of the object around them.
const LIST_NAMES: [&str; 12] = [
    "data", "items", "results", "result", "values", "value", "records", "entries", "rows", "list",
    "objects", "hits",
];
/// Fields that only lists have beside them.
const PAGE_FIELDS: [&str; 22] = [
    "has_more",
    "hasmore",
    "next",
    "nextpage",
    "next_page",
    "next_cursor",
    "nextcursor",
    "nextpagetoken",
    "next_page_token",
    "next_token",
    "nexttoken",
    "cursor",
    "page",
    "pages",
    "pagination",
    "paging",
    "total",
    "total_count",
    "totalcount",
    "count",
    "per_page",
    "offset",
];

/// Returns what the answer of an operation is like, or why it cannot be read.
pub(super) fn shape_of(operation: &Operation) -> Result<AnswerShape<'_>, String> {
    let Some(answer) = content(operation) else {
        return Ok(AnswerShape::of(operation));
    };
    let json = answer.media.iter().find(|(name, _)| is_json(name));
    let Some((_, schema)) = json else {
        let names = answer.media.iter().map(|(name, _)| name.as_str());
        let first = names.clone().next().unwrap_or_default();
        return if names.clone().any(|name| name.starts_with("text/")) {
            Ok(AnswerShape::Text)
        } else {
            Err(format!("its answer is `{first}`, neither JSON nor a text"))
        };
    };
    let shape = shape_of_schema(schema);
    let is_list = matches!(shape, AnswerShape::Object(_)) && turns_pages(operation);
    Ok(if is_list {
        // Some descriptions have a row where the answer is a list of rows.
        AnswerShape::List(ListShape {
            items: schema,
            inside: None,
        })
    } else {
        shape
    })
}

/// Returns whether an operation has parameters for the pages of a list.
fn turns_pages(operation: &Operation) -> bool {
    let has = |name: &str| operation.parameter(Place::Query, name).is_some();
    operation.method == Method::Get
        && !operation.path.ends_with('}')
        && has("page")
        && has("per_page")
}

/// Returns the media type to ask for, if the service answers with JSON in a form of its own only.
pub(super) fn accept_of(operation: &Operation) -> Option<String> {
    let media = &content(operation)?.media;
    let has_usual = media
        .iter()
        .any(|(name, _)| name.starts_with("application/json") || name == "*/*");
    let (name, _) = media.iter().find(|(name, _)| is_json(name))?;
    let plain = name.split(';').next().unwrap_or_default().trim();
    (!has_usual).then(|| plain.to_owned())
}

fn content(operation: &Operation) -> Option<&Answer> {
    operation.content()
}

fn shape_of_schema(schema: &Schema) -> AnswerShape<'_> {
    let shape = AnswerShape::of_schema(schema);
    match shape {
        AnswerShape::Object(object) => match page_in(object) {
            Some(list) => AnswerShape::List(list),
            None => shape,
        },
        other => other,
    }
}

/// Returns the list in an object that is a page of it.
fn page_in(object: &Object) -> Option<ListShape<'_>> {
    let mut lists = object
        .fields
        .iter()
        .filter_map(|(name, schema)| Some((name.as_str(), schema.as_list()?)))
        .filter(|(_, items)| items.as_object().is_some());
    let (name, items) = lists.next()?;
    if lists.next().is_some() {
        return None;
    }
    let is_page_field = |field: &String| PAGE_FIELDS.contains(&field.to_ascii_lowercase().as_str());
    let is_page = LIST_NAMES.contains(&name) || object.fields.keys().any(is_page_field);
    is_page.then_some(ListShape {
        items,
        inside: Some((object, name)),
    })
}
