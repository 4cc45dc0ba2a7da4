//! The generated cards: each is sound, runs against the simulator, and gives way to what people wrote.

use std::collections::BTreeMap;

use capstan_catalog::Catalog;
use capstan_core::card::Card;
use capstan_core::{Options, Route};
use serde_json::{Map, Value, json};

use crate::support::Bench;

fn catalog() -> Catalog {
    Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED)
}

/// Cards that the simulator does not answer with success, and why.
const EXCEPTIONS: [(&str, &str); 0] = [];

#[test]
fn every_generated_card_unpacks_and_takes_no_name_of_another() {
    let catalog = catalog();
    let ids: Vec<_> = catalog.generated().map(|card| card.id).collect();
    assert!(ids.len() > 1100, "{}", ids.len());
    assert_eq!(ids.len(), capstan_cards::GENERATED.len());
    for id in ids {
        let card = catalog.get(id).unwrap();
        assert_eq!(card.id.as_str(), id);
        assert!(!capstan_cards::CARDS.contains(id), "{id}");
        assert!(capstan_cards::CARDS.with_name(id).is_empty(), "{id}");
        assert!(card.rest.is_some() && card.intents.is_empty(), "{id}");
    }
}

#[tokio::test]
async fn every_generated_card_runs() {
    let bench = Bench::demo().await;
    let catalog = catalog();
    let exceptions = BTreeMap::from(EXCEPTIONS);
    let mut wrong = Vec::new();
    for summary in catalog.generated() {
        let card = catalog.get(summary.id).unwrap();
        for is_full in [false, true] {
            let input = input_of(&card, is_full);
            let envelope = bench.run_on(Route::Rest, summary.id, &input).await;
            if envelope.ok == exceptions.contains_key(summary.id) {
                let error = envelope
                    .error
                    .map(|error| format!("{:?} {} {:?}", error.code, error.message, error.details));
                wrong.push(format!("{} {input}: {error:?}", summary.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns an input that the card's schema accepts, with or without what is optional.
fn input_of(card: &Card, is_full: bool) -> Value {
    value_of("", &card.input_schema, is_full)
}

fn value_of(name: &str, schema: &Value, is_full: bool) -> Value {
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    if let Some(first) = schema["anyOf"].as_array().and_then(|values| values.first()) {
        return value_of(name, first, is_full);
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first().and_then(Value::as_str),
        kind => kind.as_str(),
    };
    match kind {
        Some("object") => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let is_wanted = |name: &String| {
                (is_full && name != "after") || required.iter().any(|known| known == name)
            };
            let fields = schema["properties"].as_object().into_iter().flatten();
            let fields = fields.filter(|(name, _)| is_wanted(name));
            let fields: Map<String, Value> = fields
                .map(|(name, schema)| (name.clone(), value_of(name, schema, is_full)))
                .collect();
            Value::Object(fields)
        }
        Some("array") => json!([value_of(name, &schema["items"], is_full)]),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("null") => Value::Null,
        _ => json!(text_of(name)),
    }
}

/// Returns a text that fits an input of this name.
fn text_of(name: &str) -> &str {
    match name {
        "owner" | "org" => "acme",
        "repo" => "rocket",
        "username" => "octocat",
        "since" | "until" | "before" | "started_at" | "completed_at" => "2026-01-01T00:00:00Z",
        _ => "main",
    }
}
