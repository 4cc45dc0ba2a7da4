//! The catalogue of capabilities: built-in cards, and cards from folders on top of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use capstan_core::Diagnostic;
use capstan_core::card::{Card, Kind, Operation, OtherName};
use capstan_core::similar::{self, MOST_SUGGESTED};

use crate::{BuiltinCard, Candidate};

/// Everything that can be run, by id. Built-in cards are unpacked when they are first used.
#[derive(Debug, Default)]
pub struct Catalog {
    entries: BTreeMap<String, Entry>,
    /// The ids of cards that only the configuration of the current folder asks for.
    found: BTreeSet<String>,
    /// Why a card of the user's could not be read: any name may be that card's.
    unreadable: Option<Diagnostic>,
}

#[derive(Debug)]
enum Entry {
    Builtin(&'static BuiltinCard, OnceLock<Result<Arc<Card>, String>>),
    Loaded(Arc<Card>),
}

/// What a list shows of a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary<'a> {
    pub id: &'a str,
    pub description: &'a str,
    pub operation: Operation,
    pub kind: Kind,
}

/// There is no such capability; these are the nearest names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no capability `{id}`{}", did_you_mean(.near))]
pub struct UnknownCapability {
    pub id: String,
    pub near: Vec<String>,
}

impl Catalog {
    pub fn new(builtin: &'static [BuiltinCard]) -> Self {
        let entries = builtin
            .iter()
            .map(|card| (card.id.to_owned(), Entry::Builtin(card, OnceLock::new())));
        Self {
            entries: entries.collect(),
            ..Self::default()
        }
    }

    /// Adds a card; one with the same id gives way.
    pub fn insert(&mut self, card: Card) {
        self.entries
            .insert(card.id.to_string(), Entry::Loaded(Arc::new(card)));
    }

    /// Adds a card that only the configuration of the current folder asks for.
    pub fn insert_found(&mut self, card: Card) {
        self.found.insert(card.id.to_string());
        self.insert(card);
    }

    /// Whether only the configuration of the current folder asks for a card, so that anybody may have
    /// written it.
    pub fn is_found(&self, id: &str) -> bool {
        self.found.contains(id)
    }

    pub fn set_unreadable(&mut self, error: Diagnostic) {
        self.unreadable = Some(error);
    }

    /// The first error of the user's own cards, which keeps a card from being used.
    pub fn unreadable(&self) -> Option<&Diagnostic> {
        self.unreadable.as_ref()
    }

    pub fn get(&self, id: &str) -> Result<Arc<Card>, UnknownCapability> {
        let unknown = || UnknownCapability {
            id: id.chars().take(100).collect(),
            near: self.near(id),
        };
        match self.entries.get(id).ok_or_else(unknown)? {
            Entry::Loaded(card) => Ok(Arc::clone(card)),
            Entry::Builtin(builtin, cell) => cell
                .get_or_init(|| builtin.unpack().map(Arc::new))
                .clone()
                .map_err(|_| unknown()),
        }
    }

    /// The card that another name means: a command of `gh`, or a tool of GitHub's MCP server. Such a name may mean
    /// several cards, each with certain inputs; `input` decides. The inputs that only decided are returned with it.
    pub fn named(&self, name: &str, input: &Map<String, Value>) -> Option<(Arc<Card>, OtherName)> {
        let is_called = |known: &str| spaced(known) == spaced(name);
        let has_name = |entry: &&Entry| entry.names().into_iter().any(is_called);
        let ids = self.entries.values().filter(has_name);
        let cards = ids.filter_map(|entry| self.get(entry.summary().id).ok());
        let meant = cards.flat_map(|card| {
            let names = card.names.clone().into_iter();
            let fits = names.filter(|it| is_called(&it.name) && it.fits(input));
            fits.map(|it| (Arc::clone(&card), it)).collect::<Vec<_>>()
        });
        // The one that asks for most.
        meant.max_by_key(|(_, name)| name.with.len())
    }

    pub fn contains(&self, id: &str) -> bool {
        self.entries.contains_key(id)
    }

    /// All capabilities in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = Summary<'_>> {
        self.entries.values().map(Entry::summary)
    }

    /// All capabilities with the words that they can be found by.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate<'_>> {
        self.entries.values().map(|entry| Candidate {
            summary: entry.summary(),
            intents: entry.intents(),
            parameters: entry.parameters(),
        })
    }

    /// The ids that are most like `id`: those with the same subject by another name, or else those with a similar id.
    fn near(&self, id: &str) -> Vec<String> {
        let related = self.ids_with_subject(first_word(&id.to_lowercase()));
        if related.is_empty() {
            let similar = similar::suggestions(id, self.entries.keys());
            similar.into_iter().cloned().collect()
        } else {
            related
        }
    }

    /// The ids that have this subject by another name only: that of `run list` for `run`. Nothing for a subject that
    /// ids begin with.
    fn ids_with_subject(&self, subject: &str) -> Vec<String> {
        let has_ids = self.entries.keys().any(|id| first_word(id) == subject);
        if has_ids {
            return Vec::new();
        }
        let is_called_so = |name: &str| name.contains([' ', '.']) && first_word(name) == subject;
        let named = |entry: &Entry| entry.names().into_iter().any(is_called_so);
        let related = self.entries.iter().filter(|(_, entry)| named(entry));
        related
            .take(MOST_SUGGESTED)
            .map(|(id, _)| id.clone())
            .collect()
    }
}

impl Entry {
    fn summary(&self) -> Summary<'_> {
        match self {
            Entry::Builtin(card, _) => Summary {
                id: card.id,
                description: card.description,
                operation: card.operation,
                kind: Kind::Card,
            },
            Entry::Loaded(card) => Summary {
                id: card.id.as_str(),
                description: &card.description,
                operation: card.operation,
                kind: Kind::Card,
            },
        }
    }

    fn intents(&self) -> Vec<&str> {
        match self {
            Entry::Builtin(card, _) => card.intents.to_vec(),
            Entry::Loaded(card) => card.intents.iter().map(String::as_str).collect(),
        }
    }

    fn names(&self) -> Vec<&str> {
        match self {
            Entry::Builtin(card, _) => card.names.to_vec(),
            Entry::Loaded(card) => card.names.iter().map(|it| it.name.as_str()).collect(),
        }
    }

    fn parameters(&self) -> Vec<&str> {
        match self {
            Entry::Builtin(card, _) => card.parameters.to_vec(),
            Entry::Loaded(card) => card
                .input_schema
                .get("properties")
                .and_then(serde_json::Value::as_object)
                .map(|properties| properties.keys().map(String::as_str).collect())
                .unwrap_or_default(),
        }
    }
}

/// A name with spaces for dots: `pr.review` and `pr review` mean the same.
fn spaced(name: &str) -> String {
    name.replace('.', " ")
}

/// `run` of `run list` and of `run.view`.
fn first_word(name: &str) -> &str {
    name.split([' ', '.']).next().unwrap_or_default()
}

fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => "; `search` finds capabilities by what they do".to_owned(),
        near => format!("; did you mean {}?", near.join(", ")),
    }
}
