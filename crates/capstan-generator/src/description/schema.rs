//! What a description says about a value.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Schema {
    pub(crate) kind: Kind,
    pub(crate) is_nullable: bool,
    pub(crate) is_deprecated: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Any,
    Text,
    Integer,
    Number,
    Boolean,
    /// One of these values.
    Values(Vec<Value>),
    List(Box<Schema>),
    Object(Object),
    /// One of several kinds that cannot be merged.
    Choice(Vec<Schema>),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Object {
    pub(crate) fields: IndexMap<String, Schema>,
    /// The names of required fields. Some may not be among the fields.
    pub(crate) required: BTreeSet<String>,
    /// What further fields are.
    pub(crate) values: Option<Box<Schema>>,
}

impl Schema {
    pub(crate) fn new(kind: Kind) -> Self {
        Self {
            kind,
            is_nullable: false,
            is_deprecated: false,
        }
    }

    pub(crate) fn any() -> Self {
        Self::new(Kind::Any)
    }

    pub(crate) fn as_object(&self) -> Option<&Object> {
        match &self.kind {
            Kind::Object(object) => Some(object),
            _ => None,
        }
    }

    pub(crate) fn as_list(&self) -> Option<&Schema> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns whether it is neither an object nor a list.
    pub(crate) fn is_scalar(&self) -> bool {
        match &self.kind {
            Kind::Text | Kind::Integer | Kind::Number | Kind::Boolean | Kind::Values(_) => true,
            Kind::Choice(choices) => choices.iter().all(Self::is_scalar),
            Kind::Any | Kind::List(_) | Kind::Object(_) => false,
        }
    }
}

impl Object {
    pub(crate) fn is_required(&self, name: &str) -> bool {
        self.required.contains(name)
    }

    /// Returns whether it has all these fields.
    pub(crate) fn has_all(&self, names: &[String]) -> bool {
        names.iter().all(|name| self.fields.contains_key(name))
    }
}
