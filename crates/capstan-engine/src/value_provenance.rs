//! Tracks which values of long outputs later calls use. The trace does not keep long outputs, but it keeps the values
//! that were passed on.

use std::collections::HashMap;

use capstan_graph::distinctive_values;
use serde_json::Value;

/// How many values of one input or output are considered.
const MOST_VALUES_PER_CALL: usize = 2_000;

/// How many values of all outputs together are remembered. Later outputs are ignored.
const MOST_SOURCES_IN_ALL: usize = 50_000;

/// The length in bytes up to which a text is considered. Longer texts are contents, not names or ids.
const LONGEST_TEXT: usize = 200;

/// How many calls that returned the same value are remembered: the latest ones.
const MOST_SOURCES: usize = 4;

/// The plain values of long outputs, and the calls that returned them.
#[derive(Debug, Default)]
pub(crate) struct ValueProvenance {
    /// By the parent of the calls, and the value.
    sources: HashMap<(Option<u32>, PlainValue), Vec<ValueSource>>,
    /// The number of all sources.
    count: usize,
}

/// A value that can identify something.
#[derive(Debug, PartialEq, Eq, Hash)]
enum PlainValue {
    Text(String),
    Number(i64),
}

/// A call that returned a value, and the place of the value in its output.
#[derive(Debug)]
struct ValueSource {
    call: u32,
    /// A JSON pointer.
    pointer: String,
}

/// A value of an input that an earlier call returned.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReusedValue {
    pub(crate) call: u32,
    /// The place of the value in the output of that call, as a JSON pointer.
    pub(crate) pointer: String,
    pub(crate) value: Value,
}

impl ValueProvenance {
    /// Records the output of a call that `parent` made; with `None`, of a call at the top.
    pub(crate) fn record_output(&mut self, parent: Option<u32>, call: u32, output: &Value) {
        for (pointer, value) in distinctive_values(output, MOST_VALUES_PER_CALL) {
            let Some(key) = plain_value(value) else {
                continue;
            };
            if self.count >= MOST_SOURCES_IN_ALL {
                return;
            }
            let sources = self.sources.entry((parent, key)).or_default();
            if sources.last().is_some_and(|last| last.call == call) {
                continue;
            }
            sources.push(ValueSource { call, pointer });
            self.count += 1;
            if sources.len() > MOST_SOURCES {
                sources.remove(0);
                self.count -= 1;
            }
        }
    }

    /// Returns the values of an input that earlier calls with the same parent returned.
    pub(crate) fn reused_values(&self, parent: Option<u32>, input: &Value) -> Vec<ReusedValue> {
        if self.sources.is_empty() {
            return Vec::new();
        }
        let values = distinctive_values(input, MOST_VALUES_PER_CALL).into_iter();
        let taken = values.flat_map(|(_, value)| {
            let sources = plain_value(value).and_then(|key| self.sources.get(&(parent, key)));
            let sources = sources.into_iter().flatten();
            sources.map(|source| ReusedValue {
                call: source.call,
                pointer: source.pointer.clone(),
                value: value.clone(),
            })
        });
        taken.collect()
    }
}

/// Returns a value as a key; `None` for values that cannot identify something.
fn plain_value(value: &Value) -> Option<PlainValue> {
    match value {
        Value::String(text) if text.len() <= LONGEST_TEXT => Some(PlainValue::Text(text.clone())),
        Value::Number(number) => number.as_i64().map(PlainValue::Number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn taken(
        provenance: &ValueProvenance,
        parent: Option<u32>,
        input: &Value,
    ) -> Vec<(u32, String, Value)> {
        let all = provenance.reused_values(parent, input).into_iter();
        all.map(|it| (it.call, it.pointer, it.value)).collect()
    }

    #[test]
    fn values_are_traced_to_their_place_in_an_output() {
        let mut provenance = ValueProvenance::default();
        let output = json!({"issues": [{"number": 7, "title": "a/b"}, {"number": 8}], "a/b": null, "total": 8});
        provenance.record_output(Some(1), 3, &output);
        provenance.record_output(Some(1), 4, &json!({"number": 8}));
        let input = json!({"issue_number": 8, "text": ["a/b", "c"], "on": true, "state": "open"});
        assert_eq!(
            taken(&provenance, Some(1), &input),
            [
                (3, "/issues/1/number".to_owned(), json!(8)),
                (4, "/number".to_owned(), json!(8)),
                (3, "/issues/0/title".to_owned(), json!("a/b")),
            ]
        );
        assert_eq!(taken(&provenance, None, &input), []);
        assert_eq!(taken(&provenance, Some(1), &json!(null)), []);
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut provenance = ValueProvenance::default();
        for call in 0..100 {
            let output: Vec<_> = (0..1_000).map(|n| format!("id {call} {n}")).collect();
            provenance.record_output(None, call, &json!(output));
            provenance.record_output(None, call, &json!("the same"));
        }
        assert_eq!(provenance.count, MOST_SOURCES_IN_ALL);
        let sources: Vec<u32> = provenance
            .reused_values(None, &json!("the same"))
            .iter()
            .map(|it| it.call)
            .collect();
        assert_eq!(sources.len(), MOST_SOURCES);
    }
}
