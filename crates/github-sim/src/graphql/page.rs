//! Connections: Relay pagination with GitHub's rules and errors.

use super::field::Field;
use super::value::{FieldResult, FieldValue, Record, ResolveError, record};
use apollo_compiler::Schema;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The maximum number of items on a page.
const MAX_PAGE_SIZE: i64 = 100;

/// The range of the items on the requested page.
struct Window {
    start: usize,
    end: usize,
}

/// Returns whether a type is a paginated connection.
pub(super) fn is_connection(schema: &Schema, type_name: &str) -> bool {
    type_name.ends_with("Connection") && schema.type_field(type_name, "pageInfo").is_ok()
}

/// Creates a connection with the page of the items that the arguments ask for.
pub(super) fn connection(field: &Field<'_>, items: Vec<FieldValue>) -> FieldResult {
    connection_with(field, items, |item| item, Vec::new())
}

/// Like [`connection`], with additional fields and edges that differ from the nodes: `node` returns the node of an
/// item, and items that are records of the edge type become the edges.
pub(super) fn connection_with(
    field: &Field<'_>,
    items: Vec<FieldValue>,
    node: impl Fn(FieldValue) -> FieldValue,
    extra: Vec<(&'static str, FieldValue)>,
) -> FieldResult {
    let total = items.len();
    let requested_window = requested_window(field, total)?;
    let type_name = field.type_name();
    let edge_type = field
        .schema()
        .type_field(type_name, "edges")
        .map(|edges| edges.ty.inner_named_type().to_string())
        .unwrap_or_default();
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        if !(requested_window.start..requested_window.end).contains(&index) {
            continue;
        }
        let edge = match &item {
            FieldValue::Record(known) if known.type_name == edge_type => known.clone(),
            _ => record(&*edge_type),
        };
        let node = node(item);
        edges.push(
            edge.with("cursor", cursor(index))
                .with("node", node.clone()),
        );
        nodes.push(node);
    }
    let empty = requested_window.start >= requested_window.end;
    let info = record("PageInfo")
        .with("hasNextPage", requested_window.end < total)
        .with("hasPreviousPage", requested_window.start > 0)
        .with(
            "startCursor",
            (!empty).then(|| cursor(requested_window.start)),
        )
        .with(
            "endCursor",
            (!empty).then(|| cursor(requested_window.end - 1)),
        );
    let mut connection = Record::new(type_name)
        .with("totalCount", total)
        .with("nodes", nodes)
        .with("edges", edges)
        .with("pageInfo", info);
    connection.fields.extend(extra);
    Ok(Some(connection.into()))
}

fn requested_window(field: &Field<'_>, total: usize) -> Result<Window, ResolveError> {
    let name = field.name();
    let (first, last) = (field.number("first"), field.number("last"));
    let wants_items = field.selects("nodes") || field.selects("edges");
    if first.is_none() && last.is_none() && wants_items {
        return Err(ResolveError::new(
            "MISSING_PAGINATION_BOUNDARIES",
            format!(
                "You must provide a `first` or `last` value to properly paginate the `{name}` connection."
            ),
        ));
    }
    for (argument, value) in [("first", first), ("last", last)] {
        match value {
            Some(count) if count > MAX_PAGE_SIZE => {
                return Err(ResolveError::new(
                    "EXCESSIVE_PAGINATION",
                    format!(
                        "Requesting {count} records on the `{name}` connection exceeds the `{argument}` limit of {MAX_PAGE_SIZE} records."
                    ),
                ));
            }
            Some(count) if count < 0 => {
                return Err(ResolveError::new(
                    "ARGUMENT_LIMIT",
                    format!("`{argument}` on the `{name}` connection cannot be less than zero."),
                ));
            }
            _ => {}
        }
    }
    // A search cannot count from its end: GitHub treats `last` like `first` there, and gh relies on it.
    let (first, last) = match (first, last) {
        (None, Some(last)) if name == "search" && field.text("before").is_none() => {
            (Some(last), None)
        }
        other => other,
    };
    let mut start = 0;
    let mut end = total;
    if let Some(after) = field.text("after").filter(|text| !text.is_empty()) {
        start = (decode_cursor(after)? + 1).min(total);
    }
    if let Some(before) = field.text("before").filter(|text| !text.is_empty()) {
        end = decode_cursor(before)?.min(total).max(start);
    }
    if let Some(first) = first {
        end = end.min(start + usize::try_from(first).unwrap_or(0));
    }
    if let Some(last) = last {
        start = start.max(end.saturating_sub(usize::try_from(last).unwrap_or(0)));
    }
    Ok(Window { start, end })
}

const CURSOR_PREFIX: &str = "cursor:v2:";

fn cursor(index: usize) -> String {
    STANDARD.encode(format!("{CURSOR_PREFIX}{index}"))
}

fn decode_cursor(cursor: &str) -> Result<usize, ResolveError> {
    let decoded = STANDARD.decode(cursor).ok();
    decoded
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .and_then(|text| text.strip_prefix(CURSOR_PREFIX)?.parse().ok())
        .ok_or_else(|| {
            ResolveError::new(
                "INVALID_CURSOR_ARGUMENTS",
                format!("`{cursor}` does not appear to be a valid cursor."),
            )
        })
}
