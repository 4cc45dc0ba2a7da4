//! Writes unambiguous YAML: texts are quoted, and characters that do not print are escaped.

use std::fmt::Write as _;

use serde_json::Value;

/// Words that YAML does not read as text when they are not quoted.
const NO_TEXTS: [&str; 12] = [
    "true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf", "infinity",
];

/// A list of plain values up to this length is written on one line.
const LONGEST_LINE: usize = 80;

/// Writes a value after its key or `-`, up to the end of the line. Nested lines are indented by `indent`.
pub(super) fn value(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            out.push('\n');
            for (name, field) in fields {
                let _ = write!(out, "{:indent$}{}:", "", name_of(name));
                if let (Some(kind), "type") = (field.as_str(), name.as_str()) {
                    let _ = writeln!(out, " {}", name_of(kind));
                } else {
                    self::value(out, field, indent + 2);
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

/// Returns a key or a name, quoted unless it is plain.
pub(super) fn name_of(text: &str) -> String {
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let is_word = NO_TEXTS.iter().any(|it| it.eq_ignore_ascii_case(text));
    if begins && !is_word && text.len() <= 100 && text.chars().all(plain) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// Returns an expression, quoted unless it is plain.
pub(super) fn expression(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "$_-.[]".contains(c);
    if text.chars().all(plain) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// Quotes a text as JSON does. Escapes everything except letters, digits and printable ASCII.
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
