//! What is known of a step before its result is looked at.

use capstan_core::Sort;
use capstan_core::card::{Card, Kind};
use serde_json::{Map, Value};

/// One step, with what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Viewed<'a> {
    /// The card that was run. Nothing for code that came with the call.
    pub card: Option<&'a Card>,
    /// The input with its defaults filled in.
    pub input: &'a Map<String, Value>,
    /// The fields that the caller asked for, in the caller's order.
    pub fields: Option<&'a [String]>,
    /// How the rows were sorted, where the caller said so.
    pub sort: Option<&'a Sort>,
    /// A later step of the same chain runs for each of its rows.
    pub feeds_each: bool,
}

impl Viewed<'_> {
    /// Whether long cells are cut. What code gives is what its author chose to see.
    pub(crate) fn cuts(&self) -> bool {
        self.card
            .is_some_and(|card| matches!(card.kind(), Kind::Card | Kind::Tool))
    }

    /// Whether every answer has this field: then it matters that it is empty. Of what no card describes, nobody knows.
    pub(crate) fn promises(&self, field: &str) -> bool {
        let required = self
            .card
            .and_then(|card| card.output_schema.get("required"));
        let required = required.and_then(Value::as_array);
        required.is_none_or(|required| required.iter().any(|it| it == field))
    }

    /// Whether the caller asked for this field by its name.
    pub(crate) fn asks_for(&self, field: &str) -> bool {
        self.fields
            .is_some_and(|fields| fields.iter().any(|asked| asked == field))
    }
}
