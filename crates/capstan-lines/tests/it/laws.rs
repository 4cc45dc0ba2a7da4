//! Laws that hold for all lines, cards and inputs.

use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use capstan_core::card::Card;
use capstan_lines::{Defaults, form, normalize_input, parse, quote, split, write};

use crate::samples::{
    card, flags, issue_close, issue_create, issue_list, kinds, of_repository, pr_merge,
    threads_reply,
};

/// Generates texts that are easily mistaken for something else.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "\\PC{0,12}",
        2 => "[ \t\n\r'\"\\\\$=#:,-]{0,8}",
        2 => vec(any::<char>(), 0..8).prop_map(|chars| chars.into_iter().collect()),
        3 => proptest::sample::select(vec![
            "", "-", "--", "--title", "--as", "--as x", "-R", "-Ra/b", "--no-flag", "null", "true", "false", "43", "007",
            "-5", "1.5", "1e3", "#43", "[1]", "[", "{}", "{\"a\":1}", "\"x\"", "\"", "a,b", "a/b", "a/b#1",
            "https://github.com/o/r/issues/1", "https://example.com/?a=b", "title=x", "t=x", "x:", "as", "=",
            "$a.b", "$a.data.b", "$0.x", "$a[0].b", "$a", "$$a.b", "$5.00", "$(cat <<EOF\nx\nEOF\n)",
            "&&", "|", ";", "\\", "\\\n", "a\\\nb", "# x", "#", "OPEN", "not planned", "\u{a0}", "\u{85}",
            "\u{2028}", "\0", "\u{1b}[0m",
        ]).prop_map(str::to_owned),
    ]
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((text(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Generates a schema and a value that is valid under it.
fn property() -> impl Strategy<Value = (Value, Value)> {
    let integer = || any::<i64>().prop_map(Value::from);
    let number = || (-1_000_000i32..1_000_000).prop_map(|n| Value::from(f64::from(n) / 64.0));
    let texts = || vec(text(), 0..4).prop_map(Value::from);
    let or_null = |values: BoxedStrategy<Value>| prop_oneof![4 => values, 1 => Just(Value::Null)];
    let of = |schema: Value, values: BoxedStrategy<Value>| {
        values.prop_map(move |it| (schema.clone(), it)).boxed()
    };
    prop_oneof![
        of(
            json!({ "type": "string" }),
            text().prop_map(Value::from).boxed()
        ),
        of(
            json!({ "type": ["string", "null"] }),
            or_null(text().prop_map(Value::from).boxed()).boxed()
        ),
        of(json!({ "type": "integer" }), integer().boxed()),
        of(
            json!({ "type": "integer" }),
            any::<u64>().prop_map(Value::from).boxed()
        ),
        of(
            json!({ "type": ["null", "integer"] }),
            or_null(integer().boxed()).boxed()
        ),
        of(
            json!({ "type": "number" }),
            prop_oneof![number(), integer()].boxed()
        ),
        of(
            json!({ "type": "boolean" }),
            any::<bool>().prop_map(Value::from).boxed()
        ),
        of(
            json!({ "type": ["boolean", "null"] }),
            or_null(any::<bool>().prop_map(Value::from).boxed()).boxed()
        ),
        of(
            json!({ "type": "array", "items": { "type": "string" } }),
            texts().boxed()
        ),
        of(
            json!({ "type": ["array", "null"] }),
            or_null(texts().boxed()).boxed()
        ),
        of(
            json!({ "type": "array", "items": { "type": "integer" } }),
            vec(integer(), 0..4).prop_map(Value::from).boxed()
        ),
        of(
            json!({ "type": "array" }),
            vec(json_value(), 0..3).prop_map(Value::from).boxed()
        ),
        of(
            json!({ "type": "object" }),
            vec((text(), json_value()), 0..3)
                .prop_map(|it| Value::Object(it.into_iter().collect()))
                .boxed()
        ),
        of(
            json!({ "enum": ["open", "not_planned", "null", null] }),
            proptest::sample::select(vec![
                json!("open"),
                json!("not_planned"),
                json!("null"),
                json!(null)
            ])
            .boxed()
        ),
        of(
            json!({ "type": ["integer", "string", "null"] }),
            or_null(prop_oneof![integer(), text().prop_map(Value::from)].boxed()).boxed()
        ),
        of(
            json!({ "anyOf": [{ "type": "boolean" }, { "type": "string" }, { "type": "array" }] }),
            prop_oneof![
                any::<bool>().prop_map(Value::from),
                text().prop_map(Value::from),
                texts()
            ]
            .boxed()
        ),
        of(json!({}), json_value().boxed()),
    ]
}

/// Names of inputs, including those that have another meaning elsewhere.
const NAMES: [&str; 20] = [
    "title",
    "body",
    "issue_number",
    "number",
    "first",
    "after",
    "limit",
    "as",
    "json",
    "fields",
    "all",
    "where",
    "no_draft",
    "draft",
    "labels",
    "createdAt",
    "created_at",
    "n",
    "web",
    "a b",
];

/// Generates a card and an input that is valid for it.
fn card_and_input() -> impl Strategy<Value = (Card, Map<String, Value>)> {
    let properties = vec((property(), any::<[bool; 3]>()), NAMES.len());
    let part = || "[a-z][a-z0-9_-]{0,5}";
    (properties, part(), "[a-z0-9._-]{0,5}[a-z]", any::<[bool; 3]>(), Just(NAMES.to_vec()).prop_shuffle()).prop_map(
        |(properties, owner, repo, [has_repository, is_placed, has_flags], names)| {
            let mut input = Map::new();
            let mut schemas = Map::new();
            let mut required = Vec::new();
            let mut positional = Vec::new();
            for (name, ((schema, value), [is_there, is_given, is_required])) in names.iter().zip(properties) {
                if !is_there {
                    continue;
                }
                schemas.insert((*name).to_owned(), schema);
                if is_given || is_required {
                    input.insert((*name).to_owned(), value);
                }
                if is_required {
                    required.push(*name);
                }
                if is_placed && positional.len() < 3 {
                    positional.push((*name).to_owned());
                }
            }
            let schema = if has_repository {
                input.insert("owner".to_owned(), owner.into());
                input.insert("repo".to_owned(), repo.into());
                of_repository(&required, &schemas.into())
            } else {
                json!({ "type": "object", "required": required, "properties": schemas, "additionalProperties": false })
            };
            let mut card = card("some.card", schema);
            card.line.positional = positional;
            if has_flags {
                let meaning = names[0];
                flags(&mut card, &[("t", json!(meaning)), ("label", json!(meaning)), ("quick", json!({ meaning: 1 }))]);
            }
            (card, input)
        },
    )
}

fn repository() -> Defaults {
    Defaults {
        repository: Some(("default".to_owned(), "default".to_owned())),
    }
}

proptest! {
    #[test]
    fn quoted_words_are_read_back(words in vec(text(), 1..6)) {
        let line = words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ");
        let read = parse(&line).unwrap();
        prop_assert_eq!(read.words().collect::<Vec<_>>(), words.iter().collect::<Vec<_>>());
        prop_assert_eq!(split(&line).unwrap(), [line]);
    }

    #[test]
    fn lines_stay_apart(lines in vec(vec(text(), 1..4), 1..5)) {
        let written = lines.iter().map(|words| words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" "));
        let written: Vec<_> = written.collect();
        prop_assert_eq!(split(&written.join("\n")).unwrap(), written);
    }

    #[test]
    fn every_input_can_be_written_as_a_line((card, input) in card_and_input()) {
        let line = write(&card, &input);
        let bound = parse(&line).unwrap().bind(1, &card, &repository());
        let bound = bound.map_err(|wrong| TestCaseError::fail(format!("{line}: {wrong}")))?;
        prop_assert_eq!(&bound.input, &input, "{}", line);
        prop_assert_eq!(bound.options, capstan_lines::LineOptions::default());
        prop_assert_eq!(bound.name, None);
        prop_assert_eq!(split(&line).unwrap(), [line]);
    }

    #[test]
    fn a_value_is_never_more_than_a_value(title in text(), body in text(), labels in vec(text(), 0..3)) {
        let create = issue_create();
        let labels = Value::from(labels).to_string();
        let words = ["issue.create".to_owned(), format!("--title={title}"), format!("--body={body}"), format!("--labels={labels}"), "-Ro/r".to_owned()];
        let line = words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ");
        let parsed = parse(&line).unwrap();
        prop_assert_eq!(parsed.words().collect::<Vec<_>>(), words);
        let bound = parsed.bind(1, &create, &Defaults::default()).unwrap();
        prop_assert_eq!(
            Value::Object(bound.input),
            json!({ "owner": "o", "repo": "r", "title": title, "body": body, "labels": serde_json::from_str::<Value>(&labels).unwrap() })
        );
        prop_assert_eq!(bound.options, capstan_lines::LineOptions::default());
    }

    #[test]
    fn a_valid_input_is_settled_already((card, input) in card_and_input()) {
        let settled = normalize_input(&card, input.clone(), &repository()).unwrap();
        prop_assert_eq!(settled.keys().collect::<Vec<_>>(), input.keys().collect::<Vec<_>>());
        prop_assert_eq!(settled, input);
    }

    #[test]
    fn nothing_panics(lines in vec(text(), 0..6), (generated, _) in card_and_input(), value in json_value(), words in 0usize..4) {
        let mut cards = vec![generated, issue_close(), issue_create(), issue_list(), pr_merge(), threads_reply(), kinds()];
        cards.push(card("a.hostile", value.clone()));
        cards.push(card("a.hostile", json!({ "properties": value, "required": value })));
        let mut text = String::new();
        for part in &lines {
            write!(text, "{part} ").unwrap();
        }
        let _ = split(&text);
        let quoted = lines.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ");
        for text in [text, quoted] {
            let Ok(line) = parse(&text) else {
                continue;
            };
            line.candidates();
            line.flag_values(words);
            for card in &cards {
                let _ = line.bind(words, card, &repository());
            }
        }
        for card in &cards {
            form(card);
            if let Value::Object(input) = &value {
                write(card, input);
                let _ = normalize_input(card, input.clone(), &repository());
            }
        }
    }
}
