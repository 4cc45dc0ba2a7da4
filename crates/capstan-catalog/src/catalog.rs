//! The catalogue of capabilities: built-in cards, and cards from folders that may replace them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::{Map, Value};

use capstan_core::Diagnostic;
use capstan_core::card::{Card, Kind, Operation, OtherName};
use capstan_core::similar::MOST_SUGGESTED;

use crate::near::KnownIds;
use crate::pack::spaced;
use crate::{Candidate, Pack, PackedCard, Standing};

/// All cards by id. Packed cards are unpacked when they are first used.
#[derive(Debug, Default)]
pub struct Catalog {
    /// The built-in cards that people wrote.
    packs: Vec<Pack>,
    /// Generated cards, for everything that nobody wrote a card for. Lists show them only on request.
    generated: Vec<Pack>,
    /// Generated cards of the user's services. They give way to all others.
    imported: Vec<Layer>,
    unpacked: RwLock<HashMap<String, Arc<Card>>>,
    /// The cards of folders. They replace built-in ones, and a later folder replaces an earlier one.
    folders: Vec<Layer>,
    /// Single cards. They replace all others.
    loaded: BTreeMap<String, Arc<Card>>,
    /// The ids of single cards that only the configuration of the current folder names.
    found: BTreeSet<String>,
    /// Why one of the user's cards could not be read. Any unknown name may be the name of that
    /// card.
    unreadable: Option<Diagnostic>,
}

/// The cards of a folder, except those that are refused.
#[derive(Clone, Debug)]
struct Layer {
    cards: Pack,
    refused: BTreeSet<String>,
    /// Whether only the configuration of the current folder names it.
    is_found: bool,
}

impl Layer {
    fn get(&self, id: &str) -> Option<PackedCard<'_>> {
        let card = self.cards.get(id)?;
        (!self.refused.contains(id)).then_some(card)
    }

    fn contains(&self, id: &str) -> bool {
        self.get(id).is_some()
    }

    fn iter(&self) -> impl Iterator<Item = PackedCard<'_>> {
        let cards = self.cards.iter();
        cards.filter(|card| !self.refused.contains(card.id))
    }

    fn with_name(&self, name: &str) -> impl Iterator<Item = PackedCard<'_>> {
        let cards = self.cards.with_name(name).into_iter();
        cards.filter(|card| !self.refused.contains(card.id))
    }
}

/// Where a card comes from.
#[derive(Clone, Copy)]
enum CatalogEntry<'a> {
    Packed(PackedCard<'a>),
    Loaded(&'a Arc<Card>),
}

/// The fields of a capability that a list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary<'a> {
    pub id: &'a str,
    pub description: &'a str,
    pub operation: Operation,
    pub kind: Kind,
    pub standing: Standing,
}

/// What a complete list shows of a card besides its [`Summary`].
#[derive(Clone, Debug, PartialEq)]
pub struct Detail<'a> {
    pub summary: Summary<'a>,
    /// What GitHub calls the operations of the card. Only built-in cards say it.
    pub sources: Vec<&'a str>,
    pub card: Arc<Card>,
}

/// The error for an unknown id, with the most similar ids.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no capability `{id}`{}", did_you_mean(.near))]
pub struct UnknownCapability {
    pub id: String,
    pub near: Vec<String>,
}

impl Catalog {
    pub fn new(cards: &Pack) -> Self {
        Self {
            packs: vec![cards.clone()],
            ..Self::default()
        }
    }

    /// Adds generated cards. Every other card with the same id takes precedence.
    #[must_use]
    pub fn with_generated(mut self, cards: &Pack) -> Self {
        self.generated.push(cards.clone());
        self
    }

    /// Adds the cards of a folder, except those with a refused id. They replace cards with the same id.
    pub fn add_folder(&mut self, cards: Pack, refused: BTreeSet<String>) {
        self.add_layer(cards, refused, false);
    }

    /// Adds the cards of a folder that only the configuration of the current folder names.
    pub fn add_found_folder(&mut self, cards: Pack, refused: BTreeSet<String>) {
        self.add_layer(cards, refused, true);
    }

    fn add_layer(&mut self, cards: Pack, refused: BTreeSet<String>, is_found: bool) {
        self.forget_unpacked();
        self.folders.push(Layer {
            cards,
            refused,
            is_found,
        });
    }

    /// Adds generated cards of the user's, except those with a refused id. Every other card with the same id takes
    /// precedence.
    pub fn add_imported(&mut self, cards: Pack, refused: BTreeSet<String>) {
        self.forget_unpacked();
        self.imported.push(Layer {
            cards,
            refused,
            is_found: false,
        });
    }

    /// Forgets unpacked cards: another one may now have the id.
    fn forget_unpacked(&mut self) {
        let unpacked = self.unpacked.get_mut();
        unpacked.unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Adds a card. It replaces a card with the same id.
    pub fn insert(&mut self, card: Card) {
        self.loaded.insert(card.id.to_string(), Arc::new(card));
    }

    /// Adds a card that only the configuration of the current folder names.
    pub fn insert_from_folder(&mut self, card: Card) {
        self.found.insert(card.id.to_string());
        self.insert(card);
    }

    /// Returns whether only the configuration of the current folder names a card. Anybody may have
    /// written such a card.
    pub fn is_from_folder(&self, id: &str) -> bool {
        if self.loaded.contains_key(id) {
            return self.found.contains(id);
        }
        let layer = self.folders.iter().rev().find(|layer| layer.contains(id));
        layer.is_some_and(|layer| layer.is_found)
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
        if let Some(card) = self.loaded.get(id) {
            return Ok(Arc::clone(card));
        }
        self.unpacked(id).ok_or_else(unknown)
    }

    /// Returns all entries except generated cards, in the order of their ids.
    fn entries(&self) -> impl Iterator<Item = CatalogEntry<'_>> {
        let mut entries = BTreeMap::new();
        let packed = self.packs.iter().rev().flat_map(Pack::iter);
        for card in packed.chain(self.folders.iter().flat_map(Layer::iter)) {
            entries.insert(card.id, CatalogEntry::Packed(card));
        }
        let loaded = self.loaded.iter();
        entries.extend(loaded.map(|(id, card)| (id.as_str(), CatalogEntry::Loaded(card))));
        entries.into_values()
    }

    /// Returns a packed card, which is unpacked once.
    fn unpacked(&self, id: &str) -> Option<Arc<Card>> {
        let unpacked = self.unpacked.read();
        let unpacked = unpacked.unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = unpacked.get(id) {
            return Some(Arc::clone(known));
        }
        drop(unpacked);
        let card = Arc::new(self.packed(id)?.unpack().ok()?);
        let mut unpacked = self
            .unpacked
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let entry = unpacked.entry(id.to_owned());
        Some(Arc::clone(entry.or_insert(card)))
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
        let has_name = |card: &&Arc<Card>| card.names.iter().any(|it| is_called(&it.name));
        let loaded = self.loaded.values().filter(has_name).cloned();
        let in_folders = self.folders.iter().flat_map(|layer| layer.with_name(name));
        let built_in = self.packs.iter().flat_map(|pack| pack.with_name(name));
        let packed = in_folders.chain(built_in);
        // A card may be replaced by another, which need not have the name.
        let packed = packed.filter_map(|card| self.get(card.id).ok());
        let cards = loaded.chain(packed);
        let matches = cards.flat_map(|card| {
            let names = card.names.clone().into_iter();
            let fits = names.filter(|it| is_called(&it.name) && it.fits(input));
            fits.map(|it| (Arc::clone(&card), it)).collect::<Vec<_>>()
        });
        // The name with the most conditions is the most specific.
        matches.max_by_key(|(_, name)| name.with.len())
    }

    /// Returns the ids of all cards, generated ones last, without reading anything else about them.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.entries()
            .map(CatalogEntry::id)
            .chain(self.generated_ids())
    }

    /// Returns a card that is used only now: it is not kept in memory. `None` if there is none.
    pub fn unpack_once(&self, id: &str) -> Option<Arc<Card>> {
        match self.entry(id)? {
            CatalogEntry::Loaded(card) => Some(Arc::clone(card)),
            CatalogEntry::Packed(packed) => packed.unpack().ok().map(Arc::new),
        }
    }

    pub fn contains(&self, id: &str) -> bool {
        self.is_written(id) || self.has_generated(id)
    }

    /// Returns whether this id means a generated card.
    pub fn is_generated(&self, id: &str) -> bool {
        !self.is_written(id) && self.has_generated(id)
    }

    /// Returns whether there is a card with this id that is not generated.
    fn is_written(&self, id: &str) -> bool {
        self.loaded.contains_key(id)
            || self.folders.iter().any(|layer| layer.contains(id))
            || self.packs.iter().any(|pack| pack.contains(id))
    }

    fn has_generated(&self, id: &str) -> bool {
        self.generated.iter().any(|pack| pack.contains(id))
            || self.imported.iter().any(|layer| layer.contains(id))
    }

    /// Returns the packed card with this id that counts.
    fn packed(&self, id: &str) -> Option<PackedCard<'_>> {
        let in_folders = || self.folders.iter().rev().find_map(|layer| layer.get(id));
        let mut packs = self.packs.iter().chain(&self.generated);
        let built_in = || packs.find_map(|pack| pack.get(id));
        let imported = || self.imported.iter().find_map(|layer| layer.get(id));
        in_folders().or_else(built_in).or_else(imported)
    }

    /// Returns the generated cards that no other card replaces.
    fn generated_cards(&self) -> impl Iterator<Item = PackedCard<'_>> {
        let built_in = self.generated.iter().flat_map(Pack::iter);
        let is_built_in = |id: &str| self.generated.iter().any(|pack| pack.contains(id));
        let imported = self.imported.iter().enumerate();
        let imported = imported.flat_map(move |(at, layer)| {
            let is_earlier =
                move |id: &str| self.imported[..at].iter().any(|layer| layer.contains(id));
            let cards = layer.iter();
            cards.filter(move |card| !is_built_in(card.id) && !is_earlier(card.id))
        });
        let cards = built_in.chain(imported);
        cards.filter(|card| !self.is_written(card.id))
    }

    /// Returns all capabilities except generated cards, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = Summary<'_>> {
        self.entries().map(CatalogEntry::summary)
    }

    /// Returns the generated cards in the order of their ids.
    pub fn generated(&self) -> impl Iterator<Item = Summary<'_>> {
        self.generated_entries().map(CatalogEntry::summary)
    }

    /// Returns a card with all that lists show of it. The card is not kept in memory.
    pub fn detail(&self, id: &str) -> Option<Detail<'_>> {
        let entry = self.entry(id)?;
        Some(Detail {
            summary: entry.summary(),
            sources: entry.sources(),
            card: self.unpack_once(id)?,
        })
    }

    fn entry(&self, id: &str) -> Option<CatalogEntry<'_>> {
        if let Some(card) = self.loaded.get(id) {
            return Some(CatalogEntry::Loaded(card));
        }
        self.packed(id).map(CatalogEntry::Packed)
    }

    /// Returns how many generated cards there are, without reading them.
    pub fn generated_count(&self) -> usize {
        self.generated_ids().count()
    }

    fn generated_ids(&self) -> impl Iterator<Item = &str> {
        self.generated_cards().map(|card| card.id)
    }

    fn generated_entries(&self) -> impl Iterator<Item = CatalogEntry<'_>> {
        self.generated_cards().map(CatalogEntry::Packed)
    }

    /// Returns which built-in card does an operation of GitHub's, generated or not: the id of the card by what GitHub
    /// calls the operation.
    pub fn ids_by_source(&self) -> BTreeMap<&str, &str> {
        let packs = self.generated.iter().chain(&self.packs);
        let cards = packs.flat_map(Pack::iter);
        let sources =
            cards.flat_map(|card| card.sources().into_iter().map(move |it| (it, card.id)));
        sources.collect()
    }

    /// Returns all cards but generated ones, with the words by which they can be found.
    pub fn written_candidates(&self) -> impl Iterator<Item = Candidate<'_>> {
        self.entries().map(CatalogEntry::candidate)
    }

    /// Returns the generated cards, with the words by which they can be found.
    pub fn generated_candidates(&self) -> impl Iterator<Item = Candidate<'_>> {
        self.generated_entries().map(CatalogEntry::candidate)
    }

    /// Returns the ids most similar to `id`: ids that have the same subject by another name, or else similar ids.
    fn near(&self, id: &str) -> Vec<String> {
        let related = self.ids_with_subject(first_word(&id.to_lowercase()));
        if !related.is_empty() {
            return related;
        }
        let known = KnownIds {
            written: self.iter().map(|card| card.id).collect(),
            generated: self.generated_ids().collect(),
        };
        known.near(id).into_iter().map(str::to_owned).collect()
    }

    /// Returns the ids that have this subject in another name only: for `run`, the card that is
    /// also called `run list`. Returns nothing if any id begins with the subject.
    fn ids_with_subject(&self, subject: &str) -> Vec<String> {
        let has_ids = self.iter().any(|card| first_word(card.id) == subject);
        if has_ids {
            return Vec::new();
        }
        let is_called_so = |name: &str| name.contains([' ', '.']) && first_word(name) == subject;
        let has_such_name = |entry: &CatalogEntry<'_>| entry.names().into_iter().any(is_called_so);
        let related = self.entries().filter(has_such_name);
        related
            .take(MOST_SUGGESTED)
            .map(|entry| entry.summary().id.to_owned())
            .collect()
    }
}

impl<'a> CatalogEntry<'a> {
    fn id(self) -> &'a str {
        match self {
            CatalogEntry::Packed(card) => card.id,
            CatalogEntry::Loaded(card) => card.id.as_str(),
        }
    }

    fn candidate(self) -> Candidate<'a> {
        Candidate {
            summary: self.summary(),
            intents: self.intents(),
            parameters: self.parameters(),
        }
    }

    fn summary(self) -> Summary<'a> {
        match self {
            CatalogEntry::Packed(card) => Summary {
                id: card.id,
                description: card.description(),
                operation: card.operation(),
                kind: Kind::Card,
                standing: card.standing(),
            },
            CatalogEntry::Loaded(card) => Summary {
                id: card.id.as_str(),
                description: &card.description,
                operation: card.operation,
                kind: Kind::Card,
                standing: Standing {
                    is_deprecated: card.deprecated.is_some(),
                    ..Standing::default()
                },
            },
        }
    }

    fn intents(self) -> Vec<&'a str> {
        match self {
            CatalogEntry::Packed(card) => card.intents(),
            CatalogEntry::Loaded(card) => card.intents.iter().map(String::as_str).collect(),
        }
    }

    fn names(self) -> Vec<&'a str> {
        match self {
            CatalogEntry::Packed(card) => card.names(),
            CatalogEntry::Loaded(card) => card.names.iter().map(|it| it.name.as_str()).collect(),
        }
    }

    fn sources(self) -> Vec<&'a str> {
        match self {
            CatalogEntry::Packed(card) => card.sources(),
            CatalogEntry::Loaded(_) => Vec::new(),
        }
    }

    fn parameters(self) -> Vec<&'a str> {
        match self {
            CatalogEntry::Packed(card) => card.parameters(),
            CatalogEntry::Loaded(card) => card
                .input_schema
                .get("properties")
                .and_then(serde_json::Value::as_object)
                .map(|properties| properties.keys().map(String::as_str).collect())
                .unwrap_or_default(),
        }
    }
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
