//! Which cards produce the inputs of others: `issue.list` gives the `issue_number` that `issue.close` takes.

use std::collections::BTreeMap;

use serde_json::Value;

use capstan_catalog::Catalog;
use capstan_core::card::{Card, Operation};

/// The ids of reads that return lists, by the inputs that their rows can fill.
#[derive(Debug, Default)]
pub(crate) struct ProducersByInput(BTreeMap<String, Vec<String>>);

impl ProducersByInput {
    pub(crate) fn from_catalog(catalog: &Catalog) -> Self {
        let mut producers: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for summary in catalog.iter() {
            if summary.operation != Operation::Read {
                continue;
            }
            let Ok(card) = catalog.get(summary.id) else {
                continue;
            };
            for input in inputs_filled_by(&card) {
                producers
                    .entry(input)
                    .or_default()
                    .push(card.id.to_string());
            }
        }
        Self(producers)
    }

    /// Returns the card that lists values for an input. A card of the same domain is preferred, then the
    /// first by name.
    pub(crate) fn producer_of(&self, input: &str, domain: &str) -> Option<&str> {
        let all = self.0.get(input)?;
        let is_near = |id: &&String| id.split('.').next() == Some(domain);
        let found = all.iter().find(is_near).or_else(|| all.first());
        found.map(String::as_str)
    }
}

/// Returns the inputs that a row of the card's output can fill: `issues: [{number}]` in the domain `issue`
/// fills `issue_number`, `threads: [{id}]` fills `thread_id`.
fn inputs_filled_by(card: &Card) -> Vec<String> {
    let properties = card.output_schema.get("properties");
    let properties = properties.and_then(Value::as_object);
    let mut inputs = Vec::new();
    for (name, schema) in properties.into_iter().flatten() {
        let rows = schema
            .get("items")
            .and_then(|items| items.get("properties"));
        let Some(rows) = rows.and_then(Value::as_object) else {
            continue;
        };
        let singular = name.strip_suffix('s').unwrap_or(name);
        for key in ["number", "id"]
            .into_iter()
            .filter(|key| rows.contains_key(*key))
        {
            inputs.push(format!("{singular}_{key}"));
            // Only a card with a two-part id lists the objects of its domain; others list what belongs to one
            // of them.
            if card.id.as_str().split('.').count() == 2 {
                inputs.push(format!("{}_{key}", card.id.domain()));
            }
        }
    }
    inputs.sort();
    inputs.dedup();
    inputs
}
