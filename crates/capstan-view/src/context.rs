//! What is known about a step besides its result.

use capstan_core::Sort;
use capstan_core::card::{Card, Kind};
use serde_json::{Map, Value};

/// The step that a result belongs to.
#[derive(Clone, Copy, Debug)]
pub struct ViewContext<'a> {
    /// The card that was run. `None` for code that came with the call.
    pub card: Option<&'a Card>,
    /// The input with its defaults filled in.
    pub input: &'a Map<String, Value>,
    /// The fields that the caller asked for, in the caller's order.
    pub fields: Option<&'a [String]>,
    /// How the rows were sorted, if the caller said so.
    pub sort: Option<&'a Sort>,
    /// Whether a later step of the chain runs for each of its rows.
    pub feeds_each: bool,
}

impl ViewContext<'_> {
    /// Returns whether long cells are truncated. Results of code are shown in full: its author chose them.
    pub(crate) fn truncates(&self) -> bool {
        self.card
            .is_some_and(|card| matches!(card.kind(), Kind::Card | Kind::Tool))
    }

    /// Returns whether every result has this field, so that an empty value matters. Without a card this is
    /// assumed.
    pub(crate) fn always_has(&self, field: &str) -> bool {
        let required = self
            .card
            .and_then(|card| card.output_schema.get("required"));
        let required = required.and_then(Value::as_array);
        required.is_none_or(|required| required.iter().any(|it| it == field))
    }

    /// Returns whether the caller asked for this field by name.
    pub(crate) fn is_requested(&self, field: &str) -> bool {
        self.fields
            .is_some_and(|fields| fields.iter().any(|requested| requested == field))
    }
}
