//! The result of `explain`: enough for a correct first call, in 50 to 200 tokens.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value};

use capstan_catalog::Catalog;
use capstan_core::Route;
use capstan_core::card::{Card, Deprecation, Kind, Operation};
use capstan_core::code::json_type;

use crate::capability::{FoundCapability, Implementation};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    pub capability_id: String,
    /// Omitted in JSON for cards.
    #[serde(skip_serializing_if = "is_card")]
    pub kind: Kind,
    /// The FQDN, for code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fqdn: Option<String>,
    pub description: String,
    pub operation: Operation,
    pub required: IndexMap<String, Parameter>,
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub optional: IndexMap<String, Parameter>,
    /// How many optional inputs are left out of `optional`, because there are many.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_optional: usize,
    /// In the order in which they are tried.
    pub routes: Vec<Route>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<String>,
    /// The capabilities that code calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
}

/// Type and default of an input, in one word if possible: `integer`, `open|closed|all = open`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Parameter(pub String);

impl Explanation {
    pub fn from_card(card: &Card) -> Self {
        let required: Vec<_> = strings(card.input_schema.get("required")).collect();
        let properties = card
            .input_schema
            .get("properties")
            .and_then(Value::as_object);
        let (required_parameters, optional) = properties
            .into_iter()
            .flatten()
            .map(|(name, schema)| (name.clone(), parameter(schema)))
            .partition(|(name, _)| required.contains(&name.as_str()));
        Self {
            capability_id: card.id.to_string(),
            kind: card.kind(),
            fqdn: None,
            description: card.description.clone(),
            operation: card.operation,
            required: required_parameters,
            optional,
            more_optional: 0,
            routes: card.route_order(),
            output: output_fields(card),
            calls: Vec::new(),
            example: card.examples.first().map(|example| example.input.clone()),
            notes: notes(card),
            deprecated: card.deprecated.as_ref().map(deprecation),
        }
    }
}

impl Explanation {
    /// Explains a card of the catalogue.
    pub(crate) fn from_catalog(catalog: &Catalog, card: &Card) -> Self {
        if card.kind() == Kind::Card && catalog.is_generated(card.id.as_str()) {
            Self::from_generated(card)
        } else {
            Self::from_card(card)
        }
    }

    /// Explains a resolved capability.
    pub(crate) fn from_found(catalog: &Catalog, found: &FoundCapability) -> Self {
        let mut explanation = match found.implementation {
            Implementation::Card => Self::from_catalog(catalog, &found.card),
            _ => Self::from_card(&found.card),
        };
        explanation.notes.extend(found.warnings.iter().cloned());
        if let Some(code) = found.implementation.code() {
            let statistics = code.record.statistics;
            explanation.fqdn = Some(code.record.fqdn.to_string());
            explanation.calls = code.pattern.calls.clone();
            explanation.notes.push(format!(
                "used {} times, {} successfully, {:.0} ms on average",
                statistics.usage_count, statistics.success_count, statistics.mean_latency_ms
            ));
        }
        explanation
    }
}

/// Returns the card's notes, and how code reads all pages of a paged list.
fn notes(card: &Card) -> Vec<String> {
    let mut notes = card.routing.notes.clone();
    if card.kind() == Kind::Card && card.is_paged() {
        notes.push(format!(
            "in code, all pages: discovery.{}.all(input, {{limit}})",
            card.id
        ));
    }
    notes
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn is_card(kind: &Kind) -> bool {
    *kind == Kind::Card
}

/// Returns a text such as `since 1.4.0, gone on 2027-01-01: use issue.transfer`.
pub(crate) fn deprecation(deprecation: &Deprecation) -> String {
    let mut text = format!("since {}", deprecation.since);
    if let Some(sunset) = &deprecation.sunset {
        text.push_str(&format!(", removed on {sunset}"));
    }
    if let Some(replacement) = &deprecation.replacement {
        text.push_str(&format!(": use {replacement}"));
    }
    text
}

fn parameter(schema: &Value) -> Parameter {
    let mut text = match schema.get("enum") {
        Some(options) => {
            let options: Vec<_> = options
                .as_array()
                .into_iter()
                .flatten()
                .map(value_text)
                .collect();
            options.join("|")
        }
        None => match schema.get("type") {
            Some(Value::String(kind)) if kind == "array" => {
                let items = schema.get("items");
                let items = items.and_then(|items| Some((items, items.get("type")?)));
                match items {
                    Some((items, kinds @ Value::Array(_))) => {
                        format!("({})[]", types(items, kinds))
                    }
                    Some((_, kind)) => format!("{}[]", value_text(kind)),
                    None => "[]".to_owned(),
                }
            }
            Some(kinds @ Value::Array(_)) => types(schema, kinds),
            Some(kind) => value_text(kind),
            // The type of code's parameters is inferred from the default.
            None => match schema.get("default") {
                Some(default) if !default.is_null() => json_type(default).to_owned(),
                _ if schema.get("properties").is_some() => "object".to_owned(),
                _ => "any".to_owned(),
            },
        },
    };
    if let Some(default) = schema.get("default") {
        text.push_str(&format!(" = {}", value_text(default)));
    }
    Parameter(text)
}

/// Returns one of several types. A text has the title of the schema, if there is one: `integer|owner/name`.
fn types(schema: &Value, kinds: &Value) -> String {
    let title = schema.get("title").and_then(Value::as_str);
    let word = |kind: &Value| match (kind.as_str(), title) {
        (Some("string"), Some(title)) => title.to_owned(),
        _ => value_text(kind),
    };
    let kinds = kinds.as_array().into_iter().flatten();
    kinds.map(word).collect::<Vec<_>>().join("|")
}

fn output_fields(card: &Card) -> Vec<String> {
    let keys = |pointer: &str| {
        let properties = card
            .output_schema
            .pointer(pointer)
            .and_then(Value::as_object);
        properties
            .map(|map| map.keys().cloned().collect::<Vec<_>>())
            .unwrap_or_default()
    };
    keys("/properties")
        .into_iter()
        .map(|name| {
            let columns = keys(&format!("/properties/{name}/items/properties"));
            if columns.is_empty() {
                name
            } else {
                format!("{name}[]{{{}}}", columns.join(","))
            }
        })
        .collect()
}

fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
