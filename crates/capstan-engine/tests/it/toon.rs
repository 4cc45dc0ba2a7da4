//! The TOON form of an envelope has the same content as the JSON form.

use capstan_core::{Format, ResultEnvelope, ResultMeta};
use capstan_engine::{from_toon, to_text};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Returns whether two values are equal as JSON: `1.0` and `1` are the same number.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => {
            let whole = |n: &serde_json::Number| n.as_i128();
            match (whole(a), whole(b)) {
                (Some(a), Some(b)) => a == b,
                _ => a.as_f64() == b.as_f64(),
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        _ => left == right,
    }
}

/// Generates texts that are easily mistaken for something else.
fn text() -> impl Strategy<Value = String> {
    let tricky = prop::sample::select(vec![
        "",
        " ",
        "  x  ",
        "true",
        "false",
        "null",
        "0",
        "-1",
        "1.0",
        "1e5",
        "05",
        "-0",
        ".5",
        "+1",
        "a,b",
        "a|b",
        "a\tb",
        "a:b",
        "a: b",
        "key: value",
        "- item",
        "-",
        "--",
        "[2]",
        "[1]: x",
        "[0]{a}:",
        "{a}",
        "\"",
        "\"quoted\"",
        "it's",
        "\\",
        "\\n",
        "a\nb",
        "\n",
        "\r\n",
        "\u{0}",
        "\u{7f}",
        "\u{1b}[31m",
        "\u{feff}x",
        "\u{2028}",
        "🚀👩‍🚀",
        "e\u{301}",
        "#x",
        "NaN",
        "Infinity",
        "yes",
        "no",
        "~",
        "ghost ",
        " lead",
        "end:",
        "a]b",
        "a}b",
        "true ",
        "0x10",
        "1_000",
        "1,2",
        "2026-01-01T00:00:00Z",
        "https://github.com/a/b",
    ]);
    prop_oneof![
        3 => tricky.prop_map(str::to_owned),
        2 => any::<String>(),
        2 => "[ -~]{0,12}",
    ]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1000i64..1000).prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            0.1,
            1e21,
            1e-7,
            1.5e300,
            f64::MIN_POSITIVE
        ])
        .prop_map(|number| json!(number)),
        text().prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 40, 6, |inner| {
        let row = prop::collection::vec((text(), inner.clone()), 0..5);
        let table =
            (prop::collection::vec(text(), 1..4), 0usize..5).prop_flat_map(|(names, rows)| {
                let cells = prop::collection::vec(scalar(), names.len());
                prop::collection::vec(cells, rows).prop_map(move |rows| {
                    let row = |cells: Vec<Value>| {
                        Value::Object(names.iter().cloned().zip(cells).collect())
                    };
                    Value::Array(rows.into_iter().map(row).collect())
                })
            });
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(Value::Array),
            row.prop_map(|fields| Value::Object(fields.into_iter().collect())),
            table,
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    /// All JSON can be written as TOON and read back.
    #[test]
    fn toon_loses_nothing(fields in prop::collection::vec((text(), value()), 0..4), id in text()) {
        let data: Map<String, Value> = fields.into_iter().collect();
        let meta = ResultMeta { capability_id: id, ..ResultMeta::default() };
        let envelope = ResultEnvelope::success(Value::Object(data), meta);
        let json: Value = serde_json::from_str(&to_text(&envelope, Format::Json)).unwrap();
        let toon = to_text(&envelope, Format::Toon);
        let read = from_toon(&toon);
        prop_assert!(read.as_ref().is_ok_and(|read| same(read, &json)), "{}\n{:?}", toon, read);
    }
}
