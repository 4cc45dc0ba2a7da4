//! An object: one field a line, long texts last.

use serde_json::{Map, Value};

use crate::clean::{clean, flat};
use crate::page::Page;
use crate::table::{Row, Table, Wanted, alike};
use crate::value::{self, NONE};
use crate::viewed::Viewed;

/// The field that is a text whatever its length.
pub(crate) const BODY: &str = "body";

const NUMBER: &str = "number";
const IDS: [&str; 2] = ["id", "node_id"];

pub(crate) fn view(data: &Map<String, Value>, viewed: &Viewed<'_>) -> Page {
    let mut page = Page::default();
    for (field, value) in in_order(data, viewed.fields) {
        let name = flat(field);
        let is_asked = viewed.asks_for(field);
        // A number names it as well, and no line takes such an id.
        if IDS.contains(&field) && data.contains_key(NUMBER) && !is_asked {
            continue;
        }
        if value::is_empty(value) {
            // Who asked for it is told that there is none; and of a list nobody could tell empty from unknown.
            if is_asked || value.is_array() {
                page.lines.push(format!("{name}: {NONE}"));
            }
            continue;
        }
        match value {
            Value::String(text) if field == BODY || value::is_long(text) => {
                page.texts.push((name, clean(text).trim().to_owned()));
            }
            Value::Array(items) => match alike(items) {
                Some(rows) => {
                    // Texts such as comments are there to be read; the engine cuts them, and says how long they are.
                    let are_texts = rows.iter().any(|row| row.contains_key(BODY));
                    let cuts = viewed.cuts() && !is_asked && !are_texts;
                    page.lines.extend(small_table(&name, &rows, cuts));
                }
                None => page.lines.push(format!("{name}: {}", value::inline(value))),
            },
            value => {
                let value = value::with_short_hash(value, is_asked);
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

/// The fields as the caller asked for them, then all others.
pub(crate) fn in_order<'a>(
    data: &'a Map<String, Value>,
    asked: Option<&'a [String]>,
) -> Vec<(&'a str, &'a Value)> {
    let mut fields: Vec<(&str, &Value)> = Vec::with_capacity(data.len());
    for name in asked.unwrap_or_default() {
        // What was asked for and has no value is absent from the data.
        let value = data.get(name).unwrap_or(&Value::Null);
        if fields.iter().all(|(known, _)| known != name) {
            fields.push((name, value));
        }
    }
    let others = data
        .iter()
        .filter(|(name, _)| !asked.is_some_and(|asked| asked.contains(name)));
    fields.extend(others.map(|(name, value)| (name.as_str(), value)));
    fields
}

fn small_table(name: &str, rows: &[&Row], cuts: bool) -> Vec<String> {
    let wanted = Wanted {
        cuts,
        ..Wanted::default()
    };
    let table = Table::of(rows, wanted);
    let mut lines = vec![format!("{name}{}: {}", table.stated(), table.columns())];
    lines.extend(table.rows.iter().map(|row| format!("  {row}")));
    lines
}
