//! Converts results to text: compact JSON, or TOON, in which rows of similar objects become a table.

use capstan_core::Format;
use serde::Serialize;
use serde_json::Value;
use toon_format::{decode_default, encode_default};

/// Returns an envelope as text. Both formats contain the same data.
pub fn to_text(envelope: &impl Serialize, format: Format) -> String {
    // Serializing plain data cannot fail; an empty text would be noticed at once.
    let json = || serde_json::to_string(envelope).unwrap_or_default();
    match format {
        Format::Json => json(),
        // With TOON's default settings, so that a decoder needs none.
        Format::Toon => encode_default(envelope).unwrap_or_else(|_| json()),
    }
}

/// Returns an envelope as text for a reader. In TOON, lists and small objects in table rows become one text
/// each, so that the table remains a table. JSON is unchanged.
pub fn to_reader_text(envelope: &impl Serialize, format: Format) -> String {
    match (format, serde_json::to_value(envelope)) {
        (Format::Toon, Ok(mut value)) => {
            join_cells_of_envelope(&mut value);
            to_text(&value, Format::Toon)
        }
        _ => to_text(envelope, format),
    }
}

/// Returns the shorter of both formats: usually TOON for lists and similar results, JSON for a few different
/// ones.
pub fn to_shorter_text(envelope: &impl Serialize) -> String {
    let json = to_text(envelope, Format::Json);
    let toon = to_reader_text(envelope, Format::Toon);
    if toon.len() <= json.len() { toon } else { json }
}

/// Joins the cells of the tables in an envelope's data, or in the data of a chain's results.
fn join_cells_of_envelope(envelope: &mut Value) {
    let data = envelope.get_mut("data").and_then(Value::as_object_mut);
    for rows in data.into_iter().flat_map(|data| data.values_mut()) {
        join_cells(rows);
    }
    let results = envelope.get_mut("results").and_then(Value::as_array_mut);
    for result in results.into_iter().flatten() {
        join_cells_of_envelope(result);
    }
}

/// Joins the cells of a table: rows whose values are scalars, lists of scalars, or objects of both.
fn join_cells(rows: &mut Value) {
    let Some(rows) = rows.as_array_mut() else {
        return;
    };
    let is_row = |row: &Value| {
        row.as_object()
            .is_some_and(|row| row.values().all(|cell| joined(cell).is_some()))
    };
    if !rows.iter().all(is_row) {
        return;
    }
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        for cell in row.values_mut() {
            if let Some(text) = joined(cell) {
                *cell = text;
            }
        }
    }
}

/// Returns a value as one cell, or `None` if it is nested too deeply.
fn joined(cell: &Value) -> Option<Value> {
    let scalar = |value: &Value| match value {
        Value::Array(_) | Value::Object(_) => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let list = |items: &[Value], gap: &str| {
        let texts: Option<Vec<_>> = items.iter().map(scalar).collect();
        Some(texts?.join(gap))
    };
    match cell {
        Value::Array(items) => list(items, ", ").map(Value::from),
        Value::Object(fields) => {
            let texts: Option<Vec<_>> = fields
                .iter()
                .map(|(name, value)| {
                    let text = match value {
                        // A comma ends a field.
                        Value::Array(items) => list(items, "; "),
                        other => scalar(other),
                    };
                    Some(format!("{name} {}", text?))
                })
                .collect();
            Some(texts?.join(", ").into())
        }
        other => Some(other.clone()),
    }
}

/// Parses TOON.
pub fn from_toon(text: &str) -> Result<Value, String> {
    decode_default(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use capstan_core::{
        ChainMeta, ChainResultEnvelope, ChainStatus, ChainStepMeta, ChainStepResult,
    };
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn chain(data: impl IntoIterator<Item = Value>) -> ChainResultEnvelope {
        let results = data.into_iter().map(|data| ChainStepResult {
            task: "some.task".to_owned(),
            name: None,
            ok: true,
            data: Some(data),
            error: None,
            meta: ChainStepMeta::default(),
        });
        ChainResultEnvelope {
            status: ChainStatus::Success,
            results: results.collect(),
            meta: ChainMeta::default(),
        }
    }

    #[test]
    fn without_a_wish_it_is_the_shorter_form() {
        let alike = chain((0..20).map(|number| json!({"number": number, "title": "Leak"})));
        let different = chain([
            json!({"a": {"b": [{"c": [1, [2]]}]}}),
            json!({"d": 1, "e": []}),
        ]);
        for (envelope, format) in [(alike, Format::Toon), (different, Format::Json)] {
            let text = to_shorter_text(&envelope);
            assert_eq!(text, to_text(&envelope, format));
        }
    }

    #[test]
    fn objects_in_rows_are_one_cell_each() {
        let checks = json!({"total": 3, "failed": 2, "failing": ["lint", "test"]});
        let rows =
            json!({"rows": [{"number": 1, "checks": checks}, {"number": 2, "checks": null}]});
        let toon = to_reader_text(&chain([rows]), Format::Toon);
        let row = "1,\"total 3, failed 2, failing lint; test\"";
        assert!(toon.contains(row), "{toon}");
    }

    fn text() -> impl Strategy<Value = String> {
        let like_toon = vec![
            "",
            " ",
            "\ndata:\n",
            "data:",
            "meta:",
            "  - x: 1",
            "\r\n\t\"\\",
            "null",
            "1",
            "é\u{2028}",
        ];
        prop_oneof![
            prop::sample::select(like_toon).prop_map(str::to_owned),
            any::<String>()
        ]
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            text().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let row = prop::collection::vec((text(), inner.clone()), 0..4);
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(Value::from),
                row.prop_map(Value::from_iter),
            ]
        })
    }

    proptest! {
        /// Any content survives, even if it looks like TOON syntax.
        #[test]
        fn toon_loses_nothing(data in prop::collection::vec(value(), 0..5), alike in value()) {
            for envelope in [chain(data), chain(vec![alike; 3])] {
                let toon = to_text(&envelope, Format::Toon);
                let json = serde_json::to_value(&envelope).unwrap();
                prop_assert_eq!(from_toon(&toon), Ok(json), "{}", toon);
            }
        }
    }
}
