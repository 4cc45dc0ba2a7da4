//! Reduces an answer: keeps the requested fields, and cuts long texts with their size and how to get the rest.

use serde_json::{Map, Value};

use capstan_core::card::{Card, Kind};
use capstan_core::{ErrorCode, Options, ResultError};
use capstan_lines::unknown_fields_message;

use crate::whole::{bound, project};

/// The longest text of a single object, in characters.
const LONGEST_TEXT: usize = 2_000;
/// The longest text in a row of a list, in characters.
const LONGEST_IN_ROW: usize = 400;

/// Keeps the chosen fields and cuts long texts. Returns the data, and a warning if more was left out.
pub(crate) fn shape(card: &Card, mut data: Value, options: &Options) -> (Value, Option<String>) {
    match &options.fields {
        Some(fields) if card.request.is_some() => data = project(data, fields),
        Some(fields) => choose(card, &mut data, fields),
        None => leave_out_what_was_not_asked_for(card, &mut data),
    }
    // Results of code and of own actions are never cut. Of a file, the part is shown that was asked for.
    let is_selected = card
        .rest
        .as_ref()
        .is_some_and(|rest| rest.call.answer.has_parts());
    let may_be_cut = matches!(card.kind(), Kind::Card | Kind::Tool) && !is_selected;
    if !options.full && may_be_cut {
        cut(&mut data, LONGEST_TEXT);
    }
    // Nobody chose what is in an answer that no card describes.
    let is_bounded = card.request.is_some() && !options.full;
    let warning = is_bounded.then(|| bound(&mut data)).flatten();
    (data, warning)
}

/// Checks that the requested fields exist: a typing error would look like missing data.
pub(crate) fn check_fields(card: &Card, options: &Options) -> Result<(), ResultError> {
    let known = card.fields();
    // The output of code, of raw calls, and of many tools, is unknown.
    if (card.call.is_some() || card.request.is_some()) && known.is_empty() {
        return Ok(());
    }
    let asked = options.fields.iter().flatten();
    let unknown: Vec<_> = asked
        .filter(|field| !known.contains(&field.as_str()))
        .cloned()
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let message = format!(
        "bad options for {}: {}",
        card.id,
        unknown_fields_message(card, &unknown)
    );
    Err(ResultError::new(ErrorCode::Validation, message))
}

/// Returns a warning about requested fields that do not exist.
pub(crate) fn unknown_fields(card: &Card, options: &Options) -> Option<String> {
    let unknown = &options.unknown_fields;
    (!unknown.is_empty()).then(|| unknown_fields_message(card, unknown))
}

/// Reduces the rows of a list to the card's columns and the promised fields. Other fields are present because some routes
/// always return them. A column that is not promised and empty in all rows is removed, too.
fn leave_out_what_was_not_asked_for(card: &Card, data: &mut Value) {
    let Some(list) = card.list.as_ref().filter(|list| !list.columns.is_empty()) else {
        return;
    };
    let pointer = format!("/properties/{}/items/required", list.field);
    let required = card
        .output_schema
        .pointer(&pointer)
        .and_then(Value::as_array);
    let is_required = |field: &str| {
        let mut required = required.into_iter().flatten();
        required.any(|it| it.as_str() == Some(field))
    };
    let Some(rows) = data.get_mut(&list.field).and_then(Value::as_array_mut) else {
        return;
    };
    let has_value = |field: &&String| rows.iter().any(|row| !row[field.as_str()].is_null());
    let shown: Vec<&String> = list.columns.iter().filter(has_value).collect();
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        row.retain(|field, _| is_required(field) || shown.contains(&field));
    }
}

fn choose(card: &Card, data: &mut Value, fields: &[String]) {
    let keep = |object: &mut Map<String, Value>| object.retain(|key, _| fields.contains(key));
    match &card.list {
        Some(list) => {
            if let Some(Value::Array(rows)) = data.get_mut(&list.field) {
                let is_null =
                    |field: &&String| rows.iter().all(|row| row[field.as_str()].is_null());
                let needless: Vec<_> = list.always.iter().filter(is_null).collect();
                for row in rows.iter_mut().filter_map(Value::as_object_mut) {
                    keep(row);
                    row.retain(|key, _| !needless.contains(&key));
                }
            }
        }
        None => {
            if let Some(object) = data.as_object_mut() {
                keep(object);
            }
        }
    }
}

fn cut(value: &mut Value, longest: usize) {
    match value {
        Value::String(text) => {
            if let Some(short) = shortened(text, longest) {
                *text = short;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| cut(item, LONGEST_IN_ROW)),
        Value::Object(fields) => fields.values_mut().for_each(|field| cut(field, longest)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn shortened(text: &str, longest: usize) -> Option<String> {
    // A text has at least as many bytes as characters, so most texts need no counting.
    if text.len() <= longest {
        return None;
    }
    let size = text.chars().count();
    let (end, _) = text.char_indices().nth(longest)?;
    Some(format!(
        "{}… [{longest} of {size} characters; `full` gives all]",
        &text[..end]
    ))
}
