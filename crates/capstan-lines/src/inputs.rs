//! The inputs of a card, as listed in its schema.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use capstan_core::card::{Card, Kind};

use crate::shape::Shape;

/// The inputs of a card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs<'a> {
    pub card: &'a Card,
    properties: &'a Map<String, Value>,
}

impl<'a> Inputs<'a> {
    pub(crate) fn from_card(card: &'a Card) -> Self {
        static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        let properties = card.input_schema.get("properties");
        let properties = properties.and_then(Value::as_object).unwrap_or(&NONE);
        Self { card, properties }
    }

    /// Returns their names in the order of the schema.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.properties.keys().map(String::as_str)
    }

    /// Returns the name as a part of the schema, if it is an input.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.properties
            .get_key_value(name)
            .map(|(name, _)| name.as_str())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.properties.contains_key(name)
    }

    pub(crate) fn shape(&self, name: &str) -> Shape {
        match self.properties.get(name) {
            Some(schema) => Shape::from_schema(schema, &self.card.input_schema),
            None => Shape::any(),
        }
    }

    /// Returns a keyword of an input's schema, such as `maximum`.
    pub(crate) fn keyword(&self, name: &str, keyword: &str) -> Option<&'a Value> {
        self.properties.get(name)?.get(keyword)
    }

    pub(crate) fn required(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let required = self.card.input_schema.get("required");
        let required = required.and_then(Value::as_array).into_iter().flatten();
        required.filter_map(Value::as_str)
    }

    pub(crate) fn is_required(&self, name: &str) -> bool {
        self.required().any(|required| required == name)
    }

    /// Whether every name may be an input, because the schema lists none.
    pub(crate) fn accept_any_name(&self) -> bool {
        let more = self.card.input_schema.get("additionalProperties");
        self.properties.is_empty() && more != Some(&Value::Bool(false))
    }

    /// Whether there is a repository among them, so that `owner/name` sets two inputs.
    pub(crate) fn have_repository(&self) -> bool {
        self.has("owner") && self.has("repo")
    }

    /// Whether a node id alone identifies the object. Node ids are unique on GitHub, so a repository or a
    /// number beside it makes no difference.
    pub(crate) fn are_identified_by_node_id(&self) -> bool {
        let is_about_a_place = |name: &str| {
            let is_number = name == "number" || name.ends_with("_number");
            is_number || ["owner", "repo", "repository"].contains(&name)
        };
        self.card.kind() == Kind::Card
            && !self.names().any(is_about_a_place)
            && self.required().any(|name| name.ends_with("_id"))
    }

    /// Returns the input that is the number of something, if there is exactly one.
    pub(crate) fn number(&self) -> Option<&'a str> {
        let mut numbers = self
            .required()
            .filter_map(|name| self.get(name))
            .filter(|name| {
                let is_called_so = *name == "number" || name.ends_with("_number");
                is_called_so && self.shape(name).is_integer_only()
            });
        match (numbers.next(), numbers.next()) {
            (only, None) => only,
            _ => None,
        }
    }

    /// Returns the inputs that are written without a flag.
    pub(crate) fn positional(&self) -> Vec<&'a str> {
        let stated = self.card.line.positional.iter();
        let stated: Vec<_> = stated.filter_map(|name| self.get(name)).collect();
        if stated.is_empty() {
            self.number().into_iter().collect()
        } else {
            stated
        }
    }
}
