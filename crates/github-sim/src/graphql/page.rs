//! Connections: Relay's pagination with GitHub's rules and refusals.

use super::answer::{Answer, Failure, Record, Val, record};
use super::field::Field;
use apollo_compiler::Schema;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The most that one page may hold.
const LARGEST_PAGE: i64 = 100;

/// The part of all items that was asked for.
struct Window {
    start: usize,
    end: usize,
}

/// Whether values of this type are paginated.
pub(super) fn is_connection(schema: &Schema, type_name: &str) -> bool {
    type_name.ends_with("Connection") && schema.type_field(type_name, "pageInfo").is_ok()
}

/// All items as a connection, cut to the page that the arguments ask for.
pub(super) fn connection(field: &Field<'_>, items: Vec<Val>) -> Answer {
    connection_with(field, items, |item| item, Vec::new())
}

/// As [`connection`], with more fields on the connection and a node that may differ from the edge:
/// `node` takes an edge to its node; items that are records of the edge type become the edges.
pub(super) fn connection_with(
    field: &Field<'_>,
    items: Vec<Val>,
    node: impl Fn(Val) -> Val,
    extra: Vec<(&'static str, Val)>,
) -> Answer {
    let total = items.len();
    let window = window(field, total)?;
    let type_name = field.type_name();
    let edge_type = field
        .schema()
        .type_field(type_name, "edges")
        .map(|edges| edges.ty.inner_named_type().to_string())
        .unwrap_or_default();
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        if !(window.start..window.end).contains(&index) {
            continue;
        }
        let edge = match &item {
            Val::Record(known) if known.type_name == edge_type => known.clone(),
            _ => record(&*edge_type),
        };
        let node = node(item);
        edges.push(
            edge.with("cursor", cursor(index))
                .with("node", node.clone()),
        );
        nodes.push(node);
    }
    let empty = window.start >= window.end;
    let info = record("PageInfo")
        .with("hasNextPage", window.end < total)
        .with("hasPreviousPage", window.start > 0)
        .with("startCursor", (!empty).then(|| cursor(window.start)))
        .with("endCursor", (!empty).then(|| cursor(window.end - 1)));
    let mut connection = Record::new(type_name)
        .with("totalCount", total)
        .with("nodes", nodes)
        .with("edges", edges)
        .with("pageInfo", info);
    connection.fields.extend(extra);
    Ok(Some(connection.into()))
}

fn window(field: &Field<'_>, total: usize) -> Result<Window, Failure> {
    let name = field.name();
    let (first, last) = (field.number("first"), field.number("last"));
    let wants_items = field.selects("nodes") || field.selects("edges");
    if first.is_none() && last.is_none() && wants_items {
        return Err(Failure::new(
            "MISSING_PAGINATION_BOUNDARIES",
            format!(
                "You must provide a `first` or `last` value to properly paginate the `{name}` connection."
            ),
        ));
    }
    for (argument, value) in [("first", first), ("last", last)] {
        match value {
            Some(count) if count > LARGEST_PAGE => {
                return Err(Failure::new(
                    "EXCESSIVE_PAGINATION",
                    format!(
                        "Requesting {count} records on the `{name}` connection exceeds the `{argument}` limit of {LARGEST_PAGE} records."
                    ),
                ));
            }
            Some(count) if count < 0 => {
                return Err(Failure::new(
                    "ARGUMENT_LIMIT",
                    format!("`{argument}` on the `{name}` connection cannot be less than zero."),
                ));
            }
            _ => {}
        }
    }
    // A search has no end to count from: GitHub takes `last` from the front there, and gh relies on it.
    let (first, last) = match (first, last) {
        (None, Some(last)) if name == "search" && field.text("before").is_none() => {
            (Some(last), None)
        }
        other => other,
    };
    let mut start = 0;
    let mut end = total;
    if let Some(after) = field.text("after").filter(|text| !text.is_empty()) {
        start = (index_of(after)? + 1).min(total);
    }
    if let Some(before) = field.text("before").filter(|text| !text.is_empty()) {
        end = index_of(before)?.min(total).max(start);
    }
    if let Some(first) = first {
        end = end.min(start + usize::try_from(first).unwrap_or(0));
    }
    if let Some(last) = last {
        start = start.max(end.saturating_sub(usize::try_from(last).unwrap_or(0)));
    }
    Ok(Window { start, end })
}

const CURSOR: &str = "cursor:v2:";

fn cursor(index: usize) -> String {
    STANDARD.encode(format!("{CURSOR}{index}"))
}

fn index_of(cursor: &str) -> Result<usize, Failure> {
    let decoded = STANDARD.decode(cursor).ok();
    decoded
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .and_then(|text| text.strip_prefix(CURSOR)?.parse().ok())
        .ok_or_else(|| {
            Failure::new(
                "INVALID_CURSOR_ARGUMENTS",
                format!("`{cursor}` does not appear to be a valid cursor."),
            )
        })
}
