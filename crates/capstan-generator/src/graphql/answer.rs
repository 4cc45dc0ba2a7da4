//! The answer of a root field.

use capstan_catalog::outline::{AnswerKind, Outline, Pages, snake_case};
use indexmap::IndexMap;
use serde_json::{Value, json};

use super::connection::{Connection, node_of_edge};
use super::field::{AnswerField, fields_of};
use super::operation::{RootField, RootKind, is_list, is_list_of_lists};
use super::projection::{Projector, Use, object_of};
use crate::rules::lookup;

/// Adds to an outline what is kept of the answer.
pub(super) fn add_answer(outline: &mut Outline, root: RootField<'_>, projector: Projector<'_>) {
    let answers = &projector.rules.answers;
    if let Some(written) = lookup(&answers.written, root.name()) {
        outline.at = written.at.clone();
        outline.output = Some(written.output.clone());
        return;
    }
    let ty = &root.field.ty;
    let name = ty.inner_named_type().as_str();
    if let Some(connection) = Connection::of(projector.schema, root.field) {
        add_pages(outline, root, &connection, projector);
    } else if projector.schema.is_leaf(name) {
        outline.answer = Some(AnswerKind::Any);
    } else if is_list_of_lists(ty) {
        // Tables of objects have no rows; something has to be asked for.
        outline.at = Some("__typename".to_owned());
        outline.answer = Some(AnswerKind::Any);
    } else if is_list(ty) {
        let row = projector.project(name, Use::Row);
        add_rows(outline, row);
    } else if root.kind == RootKind::Mutation {
        add_payload(outline, root, name, projector);
    } else {
        add_object(outline, projector.project(name, Use::Whole));
    }
}

fn add_pages(
    outline: &mut Outline,
    root: RootField<'_>,
    connection: &Connection,
    projector: Projector<'_>,
) {
    if projector.schema.is_leaf(&connection.row) {
        // Values without fields are no rows of a table.
        let name = snake_case(root.name());
        let notation = format!(
            "[{}] = {}",
            projector.word(&connection.row),
            connection.rows
        );
        add_object(outline, IndexMap::from_iter([(name, json!(notation))]));
        return;
    }
    let row = projector.project(&connection.row, Use::Row);
    outline.at = Some(connection.rows.to_owned());
    add_rows(outline, row);
    if outline.rows.is_none() {
        return;
    }
    let is_read = root.kind == RootKind::Query;
    outline.pages = (connection.has_pages && is_read).then_some(Pages::Cursor);
    outline.largest_page = outline.pages.and(projector.rules.largest_page);
    let has_total = connection.has_total && outline.pages.is_some();
    outline.total = has_total.then(|| "totalCount".to_owned());
}

fn add_rows(outline: &mut Outline, row: IndexMap<String, Value>) {
    if row.is_empty() {
        outline.at = None;
        outline.answer = Some(AnswerKind::Nothing);
    } else {
        outline.rows = Some(object_of(row));
    }
}

fn add_object(outline: &mut Outline, fields: IndexMap<String, Value>) {
    if fields.is_empty() {
        outline.at = None;
        outline.answer = Some(AnswerKind::Nothing);
    } else {
        outline.output = Some(fields);
    }
}

/// Adds what a mutation answers. If that is one object, its fields are those of the answer.
fn add_payload(outline: &mut Outline, root: RootField<'_>, ty: &str, projector: Projector<'_>) {
    let schema = projector.schema;
    let fields = fields_of(schema, ty, projector.rules);
    let is_object = |field: &&AnswerField<'_>| !schema.is_leaf(field.type_name());
    let node_types: Vec<&str> = fields
        .iter()
        .filter(|field| node_of_edge(schema, field.type_name()).is_none())
        .map(AnswerField::type_name)
        .collect();
    // The node of an edge may be there without the edge, too.
    let is_repeated = |field: &AnswerField<'_>| {
        node_of_edge(schema, field.type_name()).is_some_and(|node| node_types.contains(&node))
    };
    let fields: Vec<&AnswerField<'_>> = fields.iter().filter(|it| !is_repeated(it)).collect();
    let objects: Vec<_> = fields.iter().copied().filter(is_object).collect();
    if let ([only], 1) = (objects.as_slice(), fields.len())
        && !only.is_list()
        && Connection::of(schema, only.definition).is_none()
        && (!is_container(only, projector) || root.name().contains(only.type_name()))
    {
        let (place, _) = only.place();
        let (place, ty) = match node_of_edge(schema, only.type_name()) {
            Some(node) => (format!("{place}.node"), node),
            None => (place, only.type_name()),
        };
        outline.at = Some(place);
        add_object(outline, projector.project(ty, Use::Whole));
        return;
    }
    let mut kept = IndexMap::new();
    for field in fields {
        let notation = match node_of_edge(schema, field.type_name()) {
            Some(node) => edge(field, node, projector),
            None => whole_field(field, projector),
        };
        if let Some((key, notation)) = notation {
            kept.insert(key, notation);
        }
    }
    add_object(outline, kept);
}

fn is_container(field: &AnswerField<'_>, projector: Projector<'_>) -> bool {
    let mut containers = projector.rules.answers.containers.iter();
    containers.any(|ty| ty == field.type_name())
}

/// Returns the notation of a field of a payload. Unlike inside objects, lists with pages are kept, and the objects are
/// what the answer is about, so they keep their fields.
fn whole_field(field: &AnswerField<'_>, projector: Projector<'_>) -> Option<(String, Value)> {
    let schema = projector.schema;
    let ty = field.type_name();
    let is_object = !schema.is_leaf(ty) && !field.is_list();
    let is_connection = Connection::of(schema, field.definition).is_some();
    let is_short = is_object && is_container(field, projector);
    if !is_object
        || is_connection
        || is_short
        || projector.rules.answers.shorten_types.contains_key(ty)
    {
        return projector.field(field, Use::Whole);
    }
    let fields = projector.project(ty, Use::Nested);
    let (place, is_usual) = field.place();
    let name = field.output_name();
    let key = if is_usual {
        name
    } else {
        format!("{name} = {place}")
    };
    (!fields.is_empty()).then(|| (key, object_of(fields)))
}

fn edge(field: &AnswerField<'_>, node: &str, projector: Projector<'_>) -> Option<(String, Value)> {
    if field.is_list() {
        return None;
    }
    let name = field.output_name();
    let name = name.strip_suffix("_edge").unwrap_or(&name);
    let (place, _) = field.place();
    let fields = projector.project(node, Use::Nested);
    (!fields.is_empty()).then(|| (format!("{name} = {place}.node"), object_of(fields)))
}
