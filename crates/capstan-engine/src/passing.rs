//! What of a long output later calls were given. The output itself is not kept; that a part of it went on
//! is.

use std::collections::HashMap;

use serde_json::Value;

/// Of one output no more is looked at.
const MOST: usize = 2_000;

/// Longer texts are contents, not names of things.
const LONGEST: usize = 200;

/// The plain values of an output, by where they stand.
#[derive(Debug, Default)]
pub(crate) struct Parts(HashMap<Part, String>);

#[derive(Debug, PartialEq, Eq, Hash)]
enum Part {
    Text(String),
    Number(i64),
}

impl Parts {
    pub(crate) fn of(output: &Value) -> Self {
        let mut parts = HashMap::new();
        visit(output, &mut String::new(), &mut |at, value| {
            if let Some(part) = part(value) {
                parts.entry(part).or_insert_with(|| at.to_owned());
            }
            parts.len() < MOST
        });
        Self(parts)
    }

    /// Every value of an input that is among them, by where it stood in the output.
    pub(crate) fn in_input(&self, input: &Value) -> Vec<(&str, Value)> {
        let mut found = Vec::new();
        visit(input, &mut String::new(), &mut |_, value| {
            let known = part(value).and_then(|part| self.0.get(&part));
            found.extend(known.map(|at| (at.as_str(), value.clone())));
            found.len() < MOST
        });
        found
    }
}

fn part(value: &Value) -> Option<Part> {
    match value {
        Value::String(text) if (1..=LONGEST).contains(&text.len()) => {
            Some(Part::Text(text.clone()))
        }
        Value::Number(number) => number.as_i64().map(Part::Number),
        _ => None,
    }
}

/// Calls back with a JSON pointer for everything that is no list and no map, until it is told to stop.
fn visit(value: &Value, at: &mut String, each: &mut impl FnMut(&str, &Value) -> bool) -> bool {
    let length = at.len();
    let mut inside = |name: &str, value: &Value, at: &mut String| {
        at.push('/');
        at.push_str(&name.replace('~', "~0").replace('/', "~1"));
        let goes_on = visit(value, at, each);
        at.truncate(length);
        goes_on
    };
    match value {
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.all(|(index, item)| inside(&index.to_string(), item, at))
        }
        Value::Object(fields) => {
            let mut fields = fields.iter();
            fields.all(|(name, field)| inside(name, field, at))
        }
        leaf => each(at, leaf),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parts_are_found_again_where_they_stood() {
        let output = json!({"issues": [{"number": 7, "title": "a/b"}, {"number": 8}], "a/b": null});
        let parts = Parts::of(&output);
        let found = parts.in_input(&json!({"issue_number": 8, "text": ["a/b", "c"], "on": true}));
        assert_eq!(
            found,
            [
                ("/issues/1/number", json!(8)),
                ("/issues/0/title", json!("a/b")),
            ]
        );
        assert_eq!(parts.in_input(&json!(null)), []);
    }
}
