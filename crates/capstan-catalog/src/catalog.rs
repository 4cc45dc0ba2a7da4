//! The catalogue of capabilities: built-in cards, and cards from folders that may replace them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use capstan_core::Diagnostic;
use capstan_core::card::{Card, Kind, Operation, OtherName};
use capstan_core::similar::{self, MOST_SUGGESTED};

use crate::{BuiltinCard, Candidate};

/// All cards by id. Built-in cards are unpacked when they are first used.
#[derive(Debug, Default)]
pub struct Catalog {
    entries: BTreeMap<String, CatalogEntry>,
    /// The ids of cards that only the configuration of the current folder names.
    found: BTreeSet<String>,
    /// Why one of the user's cards could not be read. Any unknown name may be the name of that
    /// card.
    unreadable: Option<Diagnostic>,
}

#[derive(Debug)]
enum CatalogEntry {
    Builtin(&'static BuiltinCard, OnceLock<Result<Arc<Card>, String>>),
    Loaded(Arc<Card>),
}

/// The fields of a capability that a list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary<'a> {
    pub id: &'a str,
    pub description: &'a str,
    pub operation: Operation,
    pub kind: Kind,
}

/// The error for an unknown id, with the most similar ids.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no capability `{id}`{}", did_you_mean(.near))]
pub struct UnknownCapability {
    pub id: String,
    pub near: Vec<String>,
}

impl Catalog {
    pub fn new(builtin: &'static [BuiltinCard]) -> Self {
        let entries = builtin.iter().map(|card| {
            (
                card.id.to_owned(),
                CatalogEntry::Builtin(card, OnceLock::new()),
            )
        });
        Self {
            entries: entries.collect(),
            ..Self::default()
        }
    }

    /// Adds a card. It replaces a card with the same id.
    pub fn insert(&mut self, card: Card) {
        self.entries
            .insert(card.id.to_string(), CatalogEntry::Loaded(Arc::new(card)));
    }

    /// Adds a card that only the configuration of the current folder names.
    pub fn insert_found(&mut self, card: Card) {
        self.found.insert(card.id.to_string());
        self.insert(card);
    }

    /// Returns whether only the configuration of the current folder names a card. Anybody may have
    /// written such a card.
    pub fn is_found(&self, id: &str) -> bool {
        self.found.contains(id)
    }

    pub fn set_unreadable(&mut self, error: Diagnostic) {
        self.unreadable = Some(error);
    }

    /// Returns the first error in the user's own cards, if a card could not be used.
    pub fn unreadable(&self) -> Option<&Diagnostic> {
        self.unreadable.as_ref()
    }

    /// Returns a card by its id.
    pub fn get(&self, id: &str) -> Result<Arc<Card>, UnknownCapability> {
        let unknown = || UnknownCapability {
            id: id.chars().take(100).collect(),
            near: self.near(id),
        };
        match self.entries.get(id).ok_or_else(unknown)? {
            CatalogEntry::Loaded(card) => Ok(Arc::clone(card)),
            CatalogEntry::Builtin(builtin, cell) => cell
                .get_or_init(|| builtin.unpack().map(Arc::new))
                .clone()
                .map_err(|_| unknown()),
        }
    }

    /// Returns the card that has another name, such as a command of `gh` or a tool of GitHub's MCP
    /// server. Several cards may share such a name, each for certain inputs; `input` decides. The
    /// result includes the matching name with the inputs that only serve to decide.
    pub fn find_by_other_name(
        &self,
        name: &str,
        input: &Map<String, Value>,
    ) -> Option<(Arc<Card>, OtherName)> {
        let is_called = |known: &str| spaced(known) == spaced(name);
        let has_name = |entry: &&CatalogEntry| entry.names().into_iter().any(is_called);
        let ids = self.entries.values().filter(has_name);
        let cards = ids.filter_map(|entry| self.get(entry.summary().id).ok());
        let matches = cards.flat_map(|card| {
            let names = card.names.clone().into_iter();
            let fits = names.filter(|it| is_called(&it.name) && it.fits(input));
            fits.map(|it| (Arc::clone(&card), it)).collect::<Vec<_>>()
        });
        // The name with the most conditions is the most specific.
        matches.max_by_key(|(_, name)| name.with.len())
    }

    pub fn contains(&self, id: &str) -> bool {
        self.entries.contains_key(id)
    }

    /// Returns all capabilities in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = Summary<'_>> {
        self.entries.values().map(CatalogEntry::summary)
    }

    /// Returns all capabilities with the words by which they can be found.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate<'_>> {
        self.entries.values().map(|entry| Candidate {
            summary: entry.summary(),
            intents: entry.intents(),
            parameters: entry.parameters(),
        })
    }

    /// Returns the ids most similar to `id`: ids that have the same subject by another name, or
    /// else similar ids.
    fn near(&self, id: &str) -> Vec<String> {
        let related = self.ids_with_subject(first_word(&id.to_lowercase()));
        if related.is_empty() {
            let similar = similar::suggestions(id, self.entries.keys());
            similar.into_iter().cloned().collect()
        } else {
            related
        }
    }

    /// Returns the ids that have this subject in another name only: for `run`, the card that is
    /// also called `run list`. Returns nothing if any id begins with the subject.
    fn ids_with_subject(&self, subject: &str) -> Vec<String> {
        let has_ids = self.entries.keys().any(|id| first_word(id) == subject);
        if has_ids {
            return Vec::new();
        }
        let is_called_so = |name: &str| name.contains([' ', '.']) && first_word(name) == subject;
        let has_such_name = |entry: &CatalogEntry| entry.names().into_iter().any(is_called_so);
        let related = self
            .entries
            .iter()
            .filter(|(_, entry)| has_such_name(entry));
        related
            .take(MOST_SUGGESTED)
            .map(|(id, _)| id.clone())
            .collect()
    }
}

impl CatalogEntry {
    fn summary(&self) -> Summary<'_> {
        match self {
            CatalogEntry::Builtin(card, _) => Summary {
                id: card.id,
                description: card.description,
                operation: card.operation,
                kind: Kind::Card,
            },
            CatalogEntry::Loaded(card) => Summary {
                id: card.id.as_str(),
                description: &card.description,
                operation: card.operation,
                kind: Kind::Card,
            },
        }
    }

    fn intents(&self) -> Vec<&str> {
        match self {
            CatalogEntry::Builtin(card, _) => card.intents.to_vec(),
            CatalogEntry::Loaded(card) => card.intents.iter().map(String::as_str).collect(),
        }
    }

    fn names(&self) -> Vec<&str> {
        match self {
            CatalogEntry::Builtin(card, _) => card.names.to_vec(),
            CatalogEntry::Loaded(card) => card.names.iter().map(|it| it.name.as_str()).collect(),
        }
    }

    fn parameters(&self) -> Vec<&str> {
        match self {
            CatalogEntry::Builtin(card, _) => card.parameters.to_vec(),
            CatalogEntry::Loaded(card) => card
                .input_schema
                .get("properties")
                .and_then(serde_json::Value::as_object)
                .map(|properties| properties.keys().map(String::as_str).collect())
                .unwrap_or_default(),
        }
    }
}

/// Replaces dots by spaces: `pr.review` and `pr review` mean the same.
fn spaced(name: &str) -> String {
    name.replace('.', " ")
}

/// Returns the first word: `run` of `run list` and of `run.view`.
fn first_word(name: &str) -> &str {
    name.split([' ', '.']).next().unwrap_or_default()
}

fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => "; `search` finds capabilities by what they do".to_owned(),
        near => format!("; did you mean {}?", near.join(", ")),
    }
}
