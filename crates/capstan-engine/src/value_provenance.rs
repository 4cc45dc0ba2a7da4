//! What of long outputs later calls were given. The outputs themselves are not kept; that a part of them
//! went on is.

use std::collections::HashMap;

use capstan_graph::distinctive_values;
use serde_json::Value;

/// Of one input or output no more is looked at.
const MOST_OF_ONE: usize = 2_000;

/// Of all outputs together: what comes later teaches nothing.
const MOST: usize = 50_000;

/// Longer texts are contents, not names of things.
const LONGEST: usize = 200;

/// Of several calls that gave the same, so many of the last are remembered.
const MOST_GIVERS: usize = 4;

/// The plain values of long outputs, by the calls that gave them.
#[derive(Debug, Default)]
pub(crate) struct ValueProvenance {
    given: HashMap<(Option<u32>, PathPart), Vec<Given>>,
    count: usize,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum PathPart {
    Text(String),
    Number(i64),
}

/// A call that gave a value, and where in its output it stood.
#[derive(Debug)]
struct Given {
    call: u32,
    at: String,
}

/// A value of an input that an earlier call gave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Taken {
    pub(crate) call: u32,
    /// Where it stood in the output of that call, as a JSON pointer.
    pub(crate) at: String,
    pub(crate) value: Value,
}

impl ValueProvenance {
    /// A call that was made within another (at the top: within none) gave this.
    pub(crate) fn give(&mut self, within: Option<u32>, call: u32, output: &Value) {
        for (at, value) in distinctive_values(output, MOST_OF_ONE) {
            let Some(part) = part(value) else {
                continue;
            };
            if self.count >= MOST {
                return;
            }
            let givers = self.given.entry((within, part)).or_default();
            if givers.last().is_some_and(|last| last.call == call) {
                continue;
            }
            givers.push(Given { call, at });
            self.count += 1;
            if givers.len() > MOST_GIVERS {
                givers.remove(0);
                self.count -= 1;
            }
        }
    }

    /// What an input has of what was given by calls that were made within the same.
    pub(crate) fn taken(&self, within: Option<u32>, input: &Value) -> Vec<Taken> {
        if self.given.is_empty() {
            return Vec::new();
        }
        let values = distinctive_values(input, MOST_OF_ONE).into_iter();
        let taken = values.flat_map(|(_, value)| {
            let givers = part(value).and_then(|part| self.given.get(&(within, part)));
            let givers = givers.into_iter().flatten();
            givers.map(|given| Taken {
                call: given.call,
                at: given.at.clone(),
                value: value.clone(),
            })
        });
        taken.collect()
    }
}

fn part(value: &Value) -> Option<PathPart> {
    match value {
        Value::String(text) if text.len() <= LONGEST => Some(PathPart::Text(text.clone())),
        Value::Number(number) => number.as_i64().map(PathPart::Number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn taken(
        passing: &ValueProvenance,
        within: Option<u32>,
        input: &Value,
    ) -> Vec<(u32, String, Value)> {
        let all = passing.taken(within, input).into_iter();
        all.map(|it| (it.call, it.at, it.value)).collect()
    }

    #[test]
    fn parts_are_found_again_where_they_stood() {
        let mut passing = ValueProvenance::default();
        let output = json!({"issues": [{"number": 7, "title": "a/b"}, {"number": 8}], "a/b": null, "total": 8});
        passing.give(Some(1), 3, &output);
        passing.give(Some(1), 4, &json!({"number": 8}));
        let input = json!({"issue_number": 8, "text": ["a/b", "c"], "on": true, "state": "open"});
        assert_eq!(
            taken(&passing, Some(1), &input),
            [
                (3, "/issues/1/number".to_owned(), json!(8)),
                (4, "/number".to_owned(), json!(8)),
                (3, "/issues/0/title".to_owned(), json!("a/b")),
            ]
        );
        assert_eq!(taken(&passing, None, &input), []);
        assert_eq!(taken(&passing, Some(1), &json!(null)), []);
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut passing = ValueProvenance::default();
        for call in 0..100 {
            let output: Vec<_> = (0..1_000).map(|n| format!("id {call} {n}")).collect();
            passing.give(None, call, &json!(output));
            passing.give(None, call, &json!("the same"));
        }
        assert_eq!(passing.count, MOST);
        let givers: Vec<u32> = passing
            .taken(None, &json!("the same"))
            .iter()
            .map(|it| it.call)
            .collect();
        assert_eq!(givers.len(), MOST_GIVERS);
    }
}
