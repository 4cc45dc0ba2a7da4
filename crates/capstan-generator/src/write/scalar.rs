//! Texts and other scalars in YAML.

use serde_json::Value;

/// Returns a value on a line of its own.
pub(super) fn block_scalar(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text, "#&*!|>%@`\"'{}[],?:-") => text.clone(),
        other => quoted(other),
    }
}

/// Returns a value in a list or an object.
pub(super) fn flow_scalar(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain_in_flow(text) => text.clone(),
        other => quoted(other),
    }
}

/// Returns a key with its colon.
pub(super) fn key(name: &str) -> String {
    let name = flow_scalar(&Value::from(name));
    format!("{name}: ")
}

/// Returns a value as JSON, which is YAML too if unusual characters are escaped.
fn quoted(value: &Value) -> String {
    let json = value.to_string();
    let mut text = String::new();
    for c in json.chars() {
        if is_printable(c) {
            text.push(c);
        } else {
            // All of these have four digits.
            text.push_str(&format!("\\u{:04x}", u32::from(c)));
        }
    }
    text
}

/// Returns whether YAML may have a character as it is.
fn is_printable(c: char) -> bool {
    !c.is_control()
        && !matches!(
            c,
            '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}'
        )
}

fn is_plain_in_flow(text: &str) -> bool {
    is_plain(text, "#&*!|>%@`\"'?:-=") && !text.contains(['{', '}', '[', ']', ',', ':'])
}

/// Returns whether a text means itself without quotation marks.
fn is_plain(text: &str, indicators: &str) -> bool {
    !text.is_empty()
        && text.trim() == text
        && text.chars().all(is_printable)
        && !text.starts_with(|c| indicators.contains(c))
        && !text.contains(": ")
        && !text.ends_with(':')
        && !text.contains(" #")
        && !means_something_else(text)
}

/// Returns whether YAML reads the text as a number, a date, a boolean or nothing.
fn means_something_else(text: &str) -> bool {
    const WORDS: [&str; 13] = [
        "true", "false", "null", "~", "yes", "no", "on", "off", "y", "n", ".inf", ".nan", "<<",
    ];
    let lower = text.to_ascii_lowercase();
    WORDS.contains(&lower.as_str())
        || text.starts_with(|c: char| c.is_ascii_digit() || "+.".contains(c))
}
