//! Search requests and their results.

use capstan_core::card::{Kind, Operation};

/// The maximum number of hits of a search.
pub const MAX_HITS: usize = 50;

/// A search for capabilities. An empty request lists everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchRequest {
    pub intent: Option<String>,
    pub domain: Option<String>,
    pub kind: Option<Kind>,
    /// Whether generated cards are included.
    pub with_generated: bool,
}

/// A search query for one intent or clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct IntentQuery {
    /// The text to search for: the action, without values.
    pub(crate) text: String,
    /// The original text, which may contain the name of a capability.
    pub(crate) original: String,
}

impl IntentQuery {
    pub(crate) fn from_text(text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        Self {
            text: text.to_owned(),
            original: text.to_owned(),
        }
    }
}

/// A capability that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub id: String,
    pub description: String,
    pub operation: Operation,
    pub kind: Kind,
    pub is_generated: bool,
    /// The FQDN, for code. Its id may be a short name.
    pub fqdn: Option<String>,
    /// How well it fits, from 0 to 1; 0 in a list without an intent.
    pub score: f64,
    /// Why it was found, as text.
    pub why: Option<String>,
    /// For code: (successful uses + 1) / (uses + 1).
    pub reliability: Option<f64>,
}

/// The hits of a search, and warnings about what could not be searched.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SearchResult {
    pub(crate) hits: Vec<Hit>,
    pub(crate) warnings: Vec<String>,
}
