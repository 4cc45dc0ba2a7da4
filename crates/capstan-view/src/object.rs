//! Shows an object: one field per line, long texts last.

use serde_json::{Map, Value};

use crate::clean::{clean, single_line};
use crate::context::ViewContext;
use crate::page::TextPage;
use crate::table::{ColumnSelection, Row, Table, similar_rows};
use crate::value::{self, NONE};

/// The field that is always shown as a text, whatever its length.
pub(crate) const BODY: &str = "body";

const NUMBER: &str = "number";
const IDS: [&str; 2] = ["id", "node_id"];

pub(crate) fn view(data: &Map<String, Value>, context: &ViewContext<'_>) -> TextPage {
    let mut page = TextPage::default();
    for (field, value) in ordered_fields(data, context.fields) {
        let name = single_line(field);
        let is_requested = context.is_requested(field);
        // The number identifies it too, and no line accepts such an id.
        if IDS.contains(&field) && data.contains_key(NUMBER) && !is_requested {
            continue;
        }
        if value::is_empty(value) {
            // A requested field is shown even if it is empty. An empty list is always shown, to distinguish
            // it from an unknown one.
            if is_requested || value.is_array() {
                page.lines.push(format!("{name}: {NONE}"));
            }
            continue;
        }
        match value {
            Value::String(text) if field == BODY || value::is_long(text) => {
                page.texts.push((name, clean(text).trim().to_owned()));
            }
            Value::Array(items) => match similar_rows(items) {
                Some(rows) => {
                    // Comments are meant to be read. The executor cuts them and says how long they are.
                    let are_texts = rows.iter().any(|row| row.contains_key(BODY));
                    let truncates = context.truncates() && !is_requested && !are_texts;
                    page.lines.extend(small_table(&name, &rows, truncates));
                }
                None => page.lines.push(format!("{name}: {}", value::inline(value))),
            },
            value => {
                let value = value::with_short_hash(value, is_requested);
                page.lines
                    .push(format!("{name}: {}", value::inline(&value)));
            }
        }
    }
    if page.lines.is_empty() && page.texts.is_empty() {
        page.lines
            .push(value::compact(&Value::Object(data.clone())));
    }
    page
}

/// Returns the fields in the order in which the caller asked for them, then all others.
pub(crate) fn ordered_fields<'a>(
    data: &'a Map<String, Value>,
    requested: Option<&'a [String]>,
) -> Vec<(&'a str, &'a Value)> {
    let mut fields: Vec<(&str, &Value)> = Vec::with_capacity(data.len());
    for name in requested.unwrap_or_default() {
        // A requested field without a value is absent from the data.
        let value = data.get(name).unwrap_or(&Value::Null);
        if fields.iter().all(|(known, _)| known != name) {
            fields.push((name, value));
        }
    }
    let others = data
        .iter()
        .filter(|(name, _)| !requested.is_some_and(|requested| requested.contains(name)));
    fields.extend(others.map(|(name, value)| (name.as_str(), value)));
    fields
}

fn small_table(name: &str, rows: &[&Row], truncates: bool) -> Vec<String> {
    let selection = ColumnSelection {
        truncates,
        ..ColumnSelection::default()
    };
    let table = Table::from_rows(rows, selection);
    let mut lines = vec![format!(
        "{name}{}: {}",
        table.common_values(),
        table.columns()
    )];
    lines.extend(table.rows.iter().map(|row| format!("  {row}")));
    lines
}
