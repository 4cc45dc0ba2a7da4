//! YAML that says exactly one thing: texts stand in quotes, and what does not print is escaped.

use std::fmt::Write as _;

use serde_json::Value;

/// Words that are something else than a text where they stand without quotes.
const NO_TEXTS: [&str; 12] = [
    "true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf", "infinity",
];

/// A list of plain values stands on its line if it is no longer.
const LONGEST_LINE: usize = 80;

/// A value after its key or its `-`, with the line's end. What stands below is indented so far.
pub(super) fn value(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            out.push('\n');
            for (name, field) in fields {
                let _ = write!(out, "{:indent$}{}:", "", name_of(name));
                match field.as_str().filter(|_| name == "type") {
                    Some(kind) => {
                        let _ = writeln!(out, " {}", name_of(kind));
                    }
                    None => self::value(out, field, indent + 2),
                }
            }
        }
        Value::Array(items) if !items.is_empty() && !fits_on_a_line(items) => {
            out.push('\n');
            for item in items {
                let _ = write!(out, "{:indent$}-", "");
                self::value(out, item, indent + 2);
            }
        }
        plain => {
            out.push(' ');
            flow(out, plain);
            out.push('\n');
        }
    }
}

/// A key, or a name that people gave: without quotes where it is plain.
pub(super) fn name_of(text: &str) -> String {
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let is_word = NO_TEXTS.iter().any(|it| it.eq_ignore_ascii_case(text));
    match begins && !is_word && text.len() <= 100 && text.chars().all(plain) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

/// An expression: without quotes where it is plain.
pub(super) fn expression(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "$_-.[]".contains(c);
    match text.chars().all(plain) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

/// As JSON has it. Everything else than letters, digits and what stands on a keyboard is escaped.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(c),
            c if c.is_alphanumeric() => out.push(c),
            c => {
                let _ = match u32::from(c) {
                    code @ ..=0xffff => write!(out, "\\u{code:04x}"),
                    code => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    out.push('"');
    out
}

fn flow(out: &mut String, value: &Value) {
    match value {
        Value::String(text) => out.push_str(&quoted(text)),
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push_str(", ");
                }
                flow(out, item);
            }
            out.push(']');
        }
        Value::Object(_) => out.push_str("{}"),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            let _ = write!(out, "{value}");
        }
    }
}

fn fits_on_a_line(items: &[Value]) -> bool {
    let mut length = 0;
    items.iter().all(|item| {
        length += match item {
            Value::String(text) => text.len() + 4,
            Value::Array(items) if items.is_empty() => 4,
            Value::Object(fields) if fields.is_empty() => 4,
            Value::Array(_) | Value::Object(_) => return false,
            Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        };
        length <= LONGEST_LINE || items.len() == 1
    })
}
