//! Converts one result of any kind to text.

use capstan_core::ResultEnvelope;
use capstan_core::card::{Card, Kind, Operation};
use capstan_core::code::ConsoleLine;
use serde_json::{Map, Value};

use crate::clean::{clean, single_line};
use crate::context::ViewContext;
use crate::page::TextPage;
use crate::parts::ResultParts;
use crate::table::{ColumnSelection, Table, similar_rows};
use crate::{failure, list, object, title, trace, value, write};

const INCOMPLETE: &str = "GitHub did not finish this search: more may match";

/// Returns the text of one result that is no part of a chain.
pub fn view_result(envelope: &ResultEnvelope, context: &ViewContext<'_>) -> String {
    result_text(&ResultParts::from(envelope), context)
}

pub(crate) fn result_text(parts: &ResultParts<'_>, context: &ViewContext<'_>) -> String {
    let data = parts.data.unwrap_or(&Value::Null);
    let mut page = if parts.ok {
        success(data, parts, context)
    } else {
        TextPage::from_lines(parts.error.map(failure::lines).unwrap_or_default())
    };
    let shows_note = parts.note.is_some_and(|note| {
        let note = single_line(note);
        page.lines.iter().any(|line| line.ends_with(&note))
    });
    if !shows_note {
        page.lines.extend(parts.note.map(single_line));
    }
    let pages = parts.pagination;
    // The note of an empty list already says so.
    if parts.note.is_none() && pages.is_some_and(|pages| pages.incomplete) {
        page.lines.push(INCOMPLETE.to_owned());
    }
    page.lines.extend(trace::lines(parts));
    page.lines
        .extend(parts.warnings.iter().map(|text| warning(text)));
    if let Some(pages) = pages.filter(|pages| pages.has_next_page) {
        let cursor = pages.end_cursor.as_deref().map(single_line);
        let is_mentioned = cursor
            .as_deref()
            .is_some_and(|cursor| parts.note.is_some_and(|note| note.contains(cursor)));
        match cursor {
            _ if is_mentioned => {}
            Some(cursor) => page.lines.push(format!("more: --after {cursor}")),
            // The header already counts them.
            None if pages.total.is_some() => {}
            None => page.lines.push("more follow".to_owned()),
        }
    }
    if data.is_null() || parts.attempts.is_some() {
        page.texts.extend(console(parts.console));
    }
    if page.lines.is_empty() && page.texts.is_empty() {
        page.lines.push(empty_text(context).to_owned());
    }
    page.into_text()
}

pub(crate) fn warning(text: &str) -> String {
    format!("warning: {}", single_line(text))
}

fn success(data: &Value, parts: &ResultParts<'_>, context: &ViewContext<'_>) -> TextPage {
    match data {
        // The console may contain more.
        Value::Null => TextPage::default(),
        Value::Bool(_) | Value::Number(_) => TextPage::from_lines(vec![data.to_string()]),
        Value::String(text) => TextPage {
            texts: vec![(String::new(), clean(text))],
            ..TextPage::default()
        },
        // The note says that there was nothing to do.
        Value::Array(items) if items.is_empty() && parts.note.is_some() => TextPage::default(),
        Value::Array(items) => match (context.card.filter(|card| is_write(card)), objects(items)) {
            (Some(card), Some(rows)) => TextPage::from_lines(write::lines(card, &rows, context)),
            _ => rows(items, context),
        },
        Value::Object(fields) => {
            if let Some(card) = context.card.filter(|card| is_write(card)) {
                return TextPage::from_lines(vec![write::line(card, fields, context)]);
            }
            match list::find(fields, context) {
                Some(listed) => listed.view(parts, context),
                None => object::view(fields, context),
            }
        }
    }
}

/// Returns whether one line is enough for the result. Tools, code and raw calls may only read, so their data is
/// shown.
fn is_write(card: &Card) -> bool {
    card.operation == Operation::Write && card.kind() == Kind::Card && card.request.is_none()
}

/// Returns the rows of a list that contains only objects.
fn objects(items: &[Value]) -> Option<Vec<&Map<String, Value>>> {
    if items.is_empty() {
        return None;
    }
    items.iter().map(Value::as_object).collect()
}

/// Shows a list without a name.
fn rows(items: &[Value], context: &ViewContext<'_>) -> TextPage {
    let Some(rows) = similar_rows(items).filter(|rows| !rows.is_empty()) else {
        let text = if items.is_empty() {
            "[]".to_owned()
        } else {
            value::joined(items).unwrap_or_else(|| {
                let all = items.iter().map(value::compact);
                format!("[{}]", all.collect::<Vec<_>>().join(","))
            })
        };
        return TextPage::from_lines(vec![text]);
    };
    let selection = ColumnSelection {
        truncates: context.truncates(),
        ..ColumnSelection::default()
    };
    let table = Table::from_rows(&rows, selection);
    let counted = title::counted(rows.len(), None, "rows");
    let mut lines = vec![format!(
        "{counted}{}: {}",
        table.common_values(),
        table.columns()
    )];
    lines.extend(table.rows);
    TextPage::from_lines(lines)
}

/// Returns the console output of code, with the level of warnings and errors.
fn console(lines: &[ConsoleLine]) -> Option<(String, String)> {
    let shown = |line: &ConsoleLine| match line.level.as_str() {
        "warn" | "error" => format!("{}: {}", line.level, clean(&line.text)),
        _ => clean(&line.text),
    };
    let lines: Vec<_> = lines.iter().map(shown).collect();
    (!lines.is_empty()).then(|| ("console".to_owned(), lines.join("\n")))
}

fn empty_text(context: &ViewContext<'_>) -> &'static str {
    if context.card.is_some_and(is_write) {
        "done"
    } else {
        "null"
    }
}
