//! One result as text, whatever it is.

use capstan_core::card::{Card, Kind, Operation};
use capstan_core::code::ConsoleLine;
use serde_json::{Map, Value};

use crate::clean::{clean, flat};
use crate::page::Page;
use crate::table::{Table, Wanted, alike};
use crate::told::Told;
use crate::viewed::Viewed;
use crate::{failure, list, object, trace, value, words, write};

const INCOMPLETE: &str = "GitHub did not finish this search: more may match";

pub(crate) fn tell(told: &Told<'_>, viewed: &Viewed<'_>) -> String {
    let data = told.data.unwrap_or(&Value::Null);
    let mut page = if told.ok {
        success(data, told, viewed)
    } else {
        Page::of(told.error.map(failure::lines).unwrap_or_default())
    };
    let says_note = told.note.is_some_and(|note| {
        let note = flat(note);
        page.lines.iter().any(|line| line.ends_with(&note))
    });
    if !says_note {
        page.lines.extend(told.note.map(flat));
    }
    let pages = told.pagination;
    // The note of an empty list says both itself.
    if told.note.is_none() && pages.is_some_and(|pages| pages.incomplete) {
        page.lines.push(INCOMPLETE.to_owned());
    }
    page.lines.extend(trace::lines(told));
    page.lines
        .extend(told.warnings.iter().map(|text| warning(text)));
    if let Some(pages) = pages.filter(|pages| pages.has_next_page) {
        let cursor = pages.end_cursor.as_deref().map(flat);
        let is_said = cursor
            .as_deref()
            .is_some_and(|cursor| told.note.is_some_and(|note| note.contains(cursor)));
        match cursor {
            _ if is_said => {}
            Some(cursor) => page.lines.push(format!("more: --after {cursor}")),
            // The count says so.
            None if pages.total.is_some() => {}
            None => page.lines.push("more follow".to_owned()),
        }
    }
    if data.is_null() || told.attempts.is_some() {
        page.texts.extend(console(told.console));
    }
    if page.lines.is_empty() && page.texts.is_empty() {
        page.lines.push(nothing(viewed).to_owned());
    }
    page.into_text()
}

pub(crate) fn warning(text: &str) -> String {
    format!("warning: {}", flat(text))
}

fn success(data: &Value, told: &Told<'_>, viewed: &Viewed<'_>) -> Page {
    match data {
        // Its console may say more.
        Value::Null => Page::default(),
        Value::Bool(_) | Value::Number(_) => Page::of(vec![data.to_string()]),
        Value::String(text) => Page {
            texts: vec![(String::new(), clean(text))],
            ..Page::default()
        },
        // The note says that there was nothing to do.
        Value::Array(items) if items.is_empty() && told.note.is_some() => Page::default(),
        Value::Array(items) => match (viewed.card.filter(|card| is_write(card)), objects(items)) {
            (Some(card), Some(rows)) => Page::of(write::lines(card, &rows, viewed)),
            _ => rows(items, viewed),
        },
        Value::Object(fields) => {
            if let Some(card) = viewed.card.filter(|card| is_write(card)) {
                return Page::of(vec![write::line(card, fields, viewed)]);
            }
            match list::find(fields, viewed) {
                Some(listed) => listed.view(told, viewed),
                None => object::view(fields, viewed),
            }
        }
    }
}

/// Whether it is an operation of which a line says enough. Whether a tool or code writes, others say.
fn is_write(card: &Card) -> bool {
    card.operation == Operation::Write && card.kind() == Kind::Card
}

/// The rows of a list that has nothing but objects.
fn objects(items: &[Value]) -> Option<Vec<&Map<String, Value>>> {
    if items.is_empty() {
        return None;
    }
    items.iter().map(Value::as_object).collect()
}

/// A list that has no name.
fn rows(items: &[Value], viewed: &Viewed<'_>) -> Page {
    let Some(rows) = alike(items).filter(|rows| !rows.is_empty()) else {
        let text = if items.is_empty() {
            "[]".to_owned()
        } else {
            value::joined(items).unwrap_or_else(|| {
                let all = items.iter().map(value::compact);
                format!("[{}]", all.collect::<Vec<_>>().join(","))
            })
        };
        return Page::of(vec![text]);
    };
    let wanted = Wanted {
        cuts: viewed.cuts(),
        ..Wanted::default()
    };
    let table = Table::of(&rows, wanted);
    let counted = words::counted(rows.len(), None, "rows");
    let mut lines = vec![format!("{counted}{}: {}", table.stated(), table.columns())];
    lines.extend(table.rows);
    Page::of(lines)
}

/// What code wrote, each line with its level where that says something.
fn console(lines: &[ConsoleLine]) -> Option<(String, String)> {
    let shown = |line: &ConsoleLine| match line.level.as_str() {
        "warn" | "error" => format!("{}: {}", line.level, clean(&line.text)),
        _ => clean(&line.text),
    };
    let lines: Vec<_> = lines.iter().map(shown).collect();
    (!lines.is_empty()).then(|| ("console".to_owned(), lines.join("\n")))
}

fn nothing(viewed: &Viewed<'_>) -> &'static str {
    if viewed.card.is_some_and(is_write) {
        "done"
    } else {
        "null"
    }
}
