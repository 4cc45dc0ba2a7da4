//! Reads texts as values, according to what an input accepts.

use serde_json::{Number, Value};

use capstan_core::json;

use crate::reference;
use crate::shape::Shape;

/// A value as written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenValue<'a> {
    pub text: &'a str,
    /// Whether a `$` in it is not a reference.
    pub is_literal: bool,
    /// Whether it was written as `key=value`, where `null` is null if the input allows it.
    pub is_keyed: bool,
}

impl<'a> WrittenValue<'a> {
    pub(crate) fn literal(text: &'a str) -> Self {
        Self {
            text,
            is_literal: true,
            is_keyed: false,
        }
    }
}

/// Returns the value, if the shape accepts the text.
pub(crate) fn read(shape: &Shape, written: WrittenValue<'_>) -> Option<Value> {
    let text = written.text;
    if written.is_keyed && shape.null && text == "null" {
        return Some(Value::Null);
    }
    if shape.admits_text(text) && (shape.is_text_only() || !shape.text) {
        return Some(finish(text.into(), written));
    }
    if reference::is_reference(text) {
        return Some(finish(text.into(), written));
    }
    if let Some(choice) = choice(shape, text) {
        return Some(choice);
    }
    if shape.null && !shape.text && text == "null" {
        return Some(Value::Null);
    }
    if let Some(value) = structured(shape, text).or_else(|| scalar(shape, text)) {
        return Some(finish(value, written));
    }
    if shape.text {
        return Some(finish(text.into(), written));
    }
    let items = shape.list.as_deref()?;
    let parts = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let parts = parts.map(|text| {
        read(
            items,
            WrittenValue {
                text,
                is_keyed: false,
                ..written
            },
        )
    });
    parts.collect::<Option<Vec<_>>>().map(Value::Array)
}

/// Writes a text so that [`read`] returns it.
pub(crate) fn write_text(shape: &Shape, text: &str) -> String {
    let is = |written: &str| read(shape, WrittenValue::literal(written)) == Some(text.into());
    let in_json = Value::from(text).to_string();
    if !is(text) && is(&in_json) {
        in_json
    } else {
        text.to_owned()
    }
}

/// Finds the choice for a text, ignoring case and treating `-`, `_` and spaces alike.
pub(crate) fn choice(shape: &Shape, text: &str) -> Option<Value> {
    let fold = |text: &str| text.trim().to_lowercase().replace(['-', ' '], "_");
    let mut named = shape.choices.iter().filter(|choice| match choice {
        Value::String(choice) => !shape.text && fold(choice) == fold(text),
        other => json::from_str(text).is_ok_and(|value| value == **other),
    });
    let first = named.next()?;
    named.next().is_none().then(|| first.clone())
}

/// Parses a list or an object in JSON, or a quoted text if the input also accepts other types.
fn structured(shape: &Shape, text: &str) -> Option<Value> {
    let is_wanted = match text.trim_start().chars().next()? {
        '[' => shape.list.is_some(),
        '{' => shape.object,
        '"' => shape.text && !shape.is_text_only(),
        _ => false,
    };
    is_wanted.then(|| json::from_str(text).ok())?
}

fn scalar(shape: &Shape, text: &str) -> Option<Value> {
    if shape.boolean
        && let Ok(value) = text.parse::<bool>()
    {
        return Some(value.into());
    }
    if (shape.integer || shape.number)
        && let Some(number) = integer(text)
        // `007` is a text if texts are accepted.
        && (!shape.text || number.to_string() == text)
    {
        return Some(Value::Number(number));
    }
    if !looks_like_number(text) {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    // `1.0` is an integer in JSON Schema.
    let is_wanted = shape.number || shape.integer && number.fract() == 0.0;
    if !is_wanted {
        return None;
    }
    Number::from_f64(number).map(Value::Number)
}

fn integer(text: &str) -> Option<Number> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) || text == "-0" {
        return None;
    }
    let unsigned = text.parse::<u64>().map(Number::from);
    unsigned
        .or_else(|_| text.parse::<i64>().map(Number::from))
        .ok()
}

/// Whether a text is a JSON number: `inf`, `nan` and `007` are not.
fn looks_like_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let after_zero = digits.strip_prefix('0').unwrap_or_default();
    digits.starts_with(|c: char| c.is_ascii_digit())
        && !after_zero.starts_with(|c: char| c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_digit())
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b))
}

fn finish(mut value: Value, written: WrittenValue<'_>) -> Value {
    if !written.is_literal {
        reference::complete_all(&mut value);
    }
    value
}
