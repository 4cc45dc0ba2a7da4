//! Laws that hold for whatever data there is.

use capstan_core::card::Card;
use capstan_view::{ViewContext, view_chain, view_result};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::samples::{chain_of, issue_list, list, ok, page, paged, read, step, write};

fn text() -> impl Strategy<Value = String> {
    let odd = vec![
        "",
        " ",
        "\n",
        "[1] ok",
        "a | b",
        "|",
        "\u{1b}[31m",
        "\u{202e}",
        "2026-05-20T16:52:07Z",
        "more: --after x",
        "x\r\n\ty  ",
        "\u{2028}",
        "total",
    ];
    prop_oneof![
        prop::sample::select(odd).prop_map(str::to_owned),
        any::<String>(),
        "[ a-z\n]{0,300}",
    ]
}

fn key() -> impl Strategy<Value = String> {
    let known = vec![
        "number", "title", "state", "body", "url", "id", "changed", "issues", "total", "labels",
        "checks",
    ];
    prop_oneof![
        3 => prop::sample::select(known).prop_map(str::to_owned),
        1 => text(),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        let row = prop::collection::vec((key(), inner.clone()), 0..6);
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(Value::from),
            row.prop_map(Value::from_iter),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => value(),
        2 => prop::collection::vec((key(), value()), 0..7).prop_map(Value::from_iter),
    ]
}

fn cards() -> Vec<Option<Card>> {
    vec![
        None,
        Some(issue_list()),
        Some(read("issue.view")),
        Some(write("issue.create")),
        Some(write("issue.poke")),
    ]
}

fn is_tidy(text: &str) -> bool {
    let is_odd = |c: char| {
        (c.is_control() && c != '\n' && c != '\t') || ('\u{202a}'..='\u{202e}').contains(&c)
    };
    let mut lines = text.split('\n');
    !text.ends_with('\n') && lines.all(|line| line == line.trim_end()) && !text.contains(is_odd)
}

/// Rows of the same columns with texts that need no change.
fn flat_rows() -> impl Strategy<Value = Vec<Map<String, Value>>> {
    let cell = prop_oneof![
        "[a-zA-Zäß実#./:-]{1,12}( [a-z0-9()']{1,9}){0,4}".prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
    ];
    (1usize..6, 1usize..8).prop_flat_map(move |(columns, rows)| {
        let row = prop::collection::vec(cell.clone(), columns);
        let row = row.prop_map(|cells| {
            let named = cells.into_iter().enumerate();
            named
                .map(|(at, cell)| (format!("c{at}"), cell))
                .collect::<Map<_, _>>()
        });
        prop::collection::vec(row, rows)
    })
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

proptest! {
    #[test]
    fn whatever_the_data_is_it_is_text(data in object(), input in object(), asked in prop::option::of(prop::collection::vec(key(), 0..4))) {
        let input = input.as_object().cloned().unwrap_or_default();
        for card in cards() {
            let context = ViewContext { card: card.as_ref(), input: &input, fields: asked.as_deref(), sort: None, feeds_each: false };
            let envelope = paged(data.clone(), page(3, Some("CUR")));
            let text = view_result(&envelope, &context);
            prop_assert_eq!(&text, &view_result(&envelope, &context));
            prop_assert!(is_tidy(&text), "{:?}", text);
            let alone = view_result(&ok(data.clone()), &context);
            prop_assert!(is_tidy(&alone), "{:?}", alone);
        }
    }

    /// Foreign text never looks like an additional step.
    #[test]
    fn steps_are_told_apart(data in prop::collection::vec(object(), 1..4)) {
        let results = data.iter().map(|data| step(None, Ok(data.clone())));
        let envelope = chain_of(results.collect());
        let text = view_chain(&envelope, &[]);
        prop_assert!(is_tidy(&text), "{:?}", text);
        let labels: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with('[') && line[1..].starts_with(|c: char| c.is_ascii_digit()))
            .map(|line| line.split(']').next().unwrap_or_default().to_owned())
            .collect();
        let expected: Vec<_> = (0..data.len()).map(|at| format!("[{at}")).collect();
        prop_assert_eq!(labels, expected, "{}", text);
    }

    #[test]
    fn every_cell_of_flat_rows_is_told(rows in flat_rows()) {
        let none = Map::new();
        let named = list("x.list", "rows", None, None, &[]);
        for card in [None, Some(&named), Some(&read("x.view"))] {
            let context = ViewContext { card, input: &none, fields: None, sort: None, feeds_each: false };
            let text = view_result(&ok(json!({"rows": rows})), &context);
            for cell in rows.iter().flat_map(Map::values).map(plain) {
                prop_assert!(text.contains(&cell), "{} is not in {}", cell, text);
            }
            let lines = text.lines().count();
            if lines == 1 {
                // A single column: no cell of it looks like two.
                prop_assert_eq!(text.matches(", ").count(), rows.len() - 1, "{}", text);
            } else {
                prop_assert_eq!(lines, rows.len() + 1, "{}", text);
            }
        }
    }
}
