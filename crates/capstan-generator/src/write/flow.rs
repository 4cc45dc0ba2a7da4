//! Lists and objects in YAML's flow style.

use serde_json::Value;

use super::scalar::{flow_scalar, key};

/// How many characters a line has at most, if its words allow it.
const WIDTH: usize = 120;
const INDENT: &str = "    ";

/// Returns a key with its value, in as few lines as possible.
pub(super) fn flow(start: &str, value: &Value) -> String {
    let mut words = Vec::new();
    add_words(value, "", "", &mut words);
    let mut text = start.to_owned();
    let mut width = start.chars().count();
    for word in words {
        let length = word.chars().count() + 1;
        if width + length > WIDTH {
            text.push('\n');
            text.push_str(INDENT);
            width = INDENT.len();
            text.push_str(&word);
            width += length - 1;
        } else {
            text.push(' ');
            text.push_str(&word);
            width += length;
        }
    }
    text.push('\n');
    text
}

/// Adds the parts of a value between which a line may end. `before` and `after` stay with the value.
fn add_words(value: &Value, before: &str, after: &str, words: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            let nested = items.iter().map(|item| (String::new(), item));
            add_all(nested.collect(), before, after, ('[', ']'), words);
        }
        Value::Object(fields) => {
            let nested = fields.iter().map(|(name, value)| (key(name), value));
            add_all(nested.collect(), before, after, ('{', '}'), words);
        }
        scalar => words.push(format!("{before}{}{after}", flow_scalar(scalar))),
    }
}

fn add_all(
    values: Vec<(String, &Value)>,
    before: &str,
    after: &str,
    (open, close): (char, char),
    words: &mut Vec<String>,
) {
    if values.is_empty() {
        words.push(format!("{before}{open}{close}{after}"));
        return;
    }
    let is_list = open == '[';
    let mut inner = Vec::new();
    let last = values.len() - 1;
    for (index, (before, value)) in values.into_iter().enumerate() {
        let after = if index == last { "" } else { "," };
        add_words(value, &before, after, &mut inner);
    }
    if is_list {
        // Brackets stay with what is in them; braces have spaces.
        if let Some(first) = inner.first_mut() {
            first.insert_str(0, &format!("{before}{open}"));
        }
        if let Some(last) = inner.last_mut() {
            last.push(close);
            last.push_str(after);
        }
        words.append(&mut inner);
    } else {
        words.push(format!("{before}{open}"));
        words.append(&mut inner);
        words.push(format!("{close}{after}"));
    }
}
