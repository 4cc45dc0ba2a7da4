//! Reads a pack. A damaged pack gives fewer cards, or cards that cannot be unpacked, and never a panic.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::{fmt, str};

use capstan_core::card::{Card, Operation};
use flate2::{Decompress, FlushDecompress, Status};
use serde::{Deserialize, Serialize};

use super::CardJson;
use super::layout::{BLOCK, CARD, END, FACTS, HAS_OUTLINES, HEADER, MAGIC, NAME, SEPARATOR, WORD};
use crate::outline::{Audience, Outline, expand};

/// The most bytes of a block in full. A larger one is damaged, or made to fill the memory.
pub(super) const MAX_BLOCK: usize = 4 << 20;

/// Many cards in one run of bytes. Opening it reads nothing, and copies share the bytes.
#[derive(Clone)]
pub struct Pack {
    bytes: Bytes,
    /// The facts, if they are deflated. The first list or search inflates them.
    facts: OnceLock<Arc<[u8]>>,
}

#[derive(Clone)]
enum Bytes {
    Static(&'static [u8]),
    Shared(Arc<[u8]>),
}

/// A card in a pack. Lists and searches read its facts without unpacking it.
#[derive(Clone, Copy)]
pub struct PackedCard<'a> {
    pack: &'a Pack,
    record: usize,
    pub id: &'a str,
}

/// The facts of a card, in their order.
#[derive(Clone, Copy)]
enum Fact {
    Operation,
    Description,
    Intents,
    Parameters,
    Names,
    Standing,
    Sources,
}

/// Who can use a card, and whether it should still be used. Searches prefer cards that everybody can use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Whether the card was generated from an outline. People wrote all others.
    pub is_generated: bool,
    pub is_deprecated: bool,
    /// Whether other programs for GitHub do the same. Only generated cards say it.
    #[serde(default)]
    pub is_common: bool,
    /// Who can use it, if not every user. Only generated cards say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<Audience>,
}

impl Pack {
    /// Returns the pack in bytes that are part of the program.
    pub const fn from_static(bytes: &'static [u8]) -> Self {
        Self {
            bytes: Bytes::Static(bytes),
            facts: OnceLock::new(),
        }
    }

    /// Returns the pack in bytes from a file; `None` if they are not a pack of this version.
    pub fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        Self::is_pack(&bytes).then(|| Self {
            bytes: Bytes::Shared(bytes.into()),
            facts: OnceLock::new(),
        })
    }

    /// Returns whether bytes begin like a pack of this version.
    pub(crate) fn is_pack(bytes: &[u8]) -> bool {
        bytes.len() >= HEADER && bytes.starts_with(&MAGIC)
    }

    fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Static(bytes) => bytes,
            Bytes::Shared(bytes) => bytes,
        }
    }

    /// Returns a pack without cards.
    pub const fn empty() -> Self {
        Self::from_static(&[])
    }

    /// Returns how many cards there are.
    pub fn len(&self) -> usize {
        // A damaged number must not make anybody count for long.
        self.word(WORD).min(self.bytes().len() / CARD)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the cards in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = PackedCard<'_>> {
        (0..self.len()).filter_map(|record| self.card(record))
    }

    /// Returns the card with this id.
    pub fn get(&self, id: &str) -> Option<PackedCard<'_>> {
        let is_below = |record: usize| self.id(record) < id;
        let record = partition(self.len(), is_below);
        self.card(record).filter(|card| card.id == id)
    }

    pub fn contains(&self, id: &str) -> bool {
        self.get(id).is_some()
    }

    /// Returns whether the id of a card begins with this text.
    pub fn has_prefix(&self, prefix: &str) -> bool {
        let is_below = |record: usize| self.id(record) < prefix;
        let first = self.card(partition(self.len(), is_below));
        first.is_some_and(|card| card.id.starts_with(prefix))
    }

    /// Returns the cards that have this other name, in which spaces and dots mean the same.
    pub fn with_name(&self, name: &str) -> Vec<PackedCard<'_>> {
        let name = spaced(name);
        let count = self.name_count();
        let first = partition(count, |at| self.name(at).0 < name.as_str());
        (first..count)
            .map(|at| self.name(at))
            .take_while(|(other, _)| *other == name)
            .filter_map(|(_, record)| self.card(record))
            .collect()
    }

    fn name_count(&self) -> usize {
        self.word(2 * WORD).min(self.bytes().len() / NAME)
    }

    /// Returns another name, spaced, and the record of its card.
    fn name(&self, at: usize) -> (&str, usize) {
        let at = HEADER + self.len() * CARD + at * NAME;
        (text(self.bytes(), self.word(at), 0), self.word(at + WORD))
    }

    fn card(&self, record: usize) -> Option<PackedCard<'_>> {
        (record < self.len()).then(|| PackedCard {
            pack: self,
            record,
            id: self.id(record),
        })
    }

    fn id(&self, record: usize) -> &str {
        text(self.bytes(), self.word(HEADER + record * CARD), 0)
    }

    fn fact(&self, record: usize, fact: Fact) -> &str {
        let at = self.word(HEADER + record * CARD + WORD);
        text(self.facts(), at, fact as usize)
    }

    /// Returns the facts of all cards.
    fn facts(&self) -> &[u8] {
        if let Some(known) = self.facts.get() {
            return known;
        }
        match self.block(FACTS) {
            Some(Cow::Borrowed(facts)) => facts,
            Some(Cow::Owned(facts)) => self.facts.get_or_init(|| facts.into()),
            None => &[],
        }
    }

    fn has_outlines(&self) -> bool {
        self.word(4 * WORD) == HAS_OUTLINES
    }

    /// Returns the bytes of a card as JSON.
    fn json(&self, record: usize) -> Option<Cow<'_, [u8]>> {
        let at = HEADER + record * CARD;
        let (start, end) = (self.word(at + 3 * WORD), self.word(at + 4 * WORD));
        Some(match self.block(self.word(at + 2 * WORD))? {
            Cow::Borrowed(block) => Cow::Borrowed(block.get(start..end)?),
            Cow::Owned(block) => Cow::Owned(block.get(start..end)?.to_vec()),
        })
    }

    fn block(&self, block: usize) -> Option<Cow<'_, [u8]>> {
        if block >= self.word(3 * WORD) {
            return None;
        }
        let names_end = HEADER + self.len() * CARD + self.name_count() * NAME;
        let at = names_end + block * BLOCK;
        let (start, stored, full) = (
            self.word(at),
            self.word(at + WORD),
            self.word(at + 2 * WORD),
        );
        let bytes = self.bytes().get(start..start.checked_add(stored)?)?;
        if stored == full {
            return Some(Cow::Borrowed(bytes));
        }
        inflated(bytes, full).map(Cow::Owned)
    }

    /// Returns the number at a place; zero beyond the end.
    fn word(&self, at: usize) -> usize {
        let bytes = self.bytes().get(at..at + WORD);
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u32::from_le_bytes) as usize
    }
}

impl<'a> PackedCard<'a> {
    pub fn description(&self) -> &'a str {
        self.pack.fact(self.record, Fact::Description)
    }

    pub fn operation(&self) -> Operation {
        match self.pack.fact(self.record, Fact::Operation) {
            "w" => Operation::Write,
            _ => Operation::Read,
        }
    }

    /// Returns phrases in which people ask for the card.
    pub fn intents(&self) -> Vec<&'a str> {
        self.values(Fact::Intents)
    }

    /// Returns the names of the inputs.
    pub fn parameters(&self) -> Vec<&'a str> {
        self.values(Fact::Parameters)
    }

    /// Returns the other names of the card. Some of them apply only to certain inputs.
    pub fn names(&self) -> Vec<&'a str> {
        self.values(Fact::Names)
    }

    /// Returns who can use the card, and whether it should still be used.
    pub fn standing(&self) -> Standing {
        let letters = self.pack.fact(self.record, Fact::Standing);
        Standing {
            is_generated: self.pack.has_outlines(),
            is_deprecated: letters.contains(DEPRECATED),
            is_common: letters.contains(COMMON),
            audience: letters.chars().find_map(audience),
        }
    }

    /// Returns what GitHub calls the operations of the card: `issues/create`. For a card that somebody wrote, these are
    /// the operations whose outline gave way to it.
    pub fn sources(&self) -> Vec<&'a str> {
        self.values(Fact::Sources)
    }

    fn values(&self, fact: Fact) -> Vec<&'a str> {
        let values = self.pack.fact(self.record, fact).split(SEPARATOR);
        values.filter(|value| !value.is_empty()).collect()
    }

    /// Unpacks the card.
    pub fn unpack(&self) -> Result<Card, String> {
        let damaged = |cause: &str| format!("the packed card `{}` is damaged: {cause}", self.id);
        let json = self.pack.json(self.record);
        let json = json.ok_or_else(|| damaged("its bytes are missing"))?;
        let unreadable = |error: serde_json::Error| damaged(&error.to_string());
        let card: CardJson = if self.pack.has_outlines() {
            let outline: Outline = serde_json::from_slice(&json).map_err(unreadable)?;
            let (card, documents) =
                expand(self.id, &outline).map_err(|problem| damaged(&problem))?;
            CardJson::new(card, documents)
        } else {
            serde_json::from_slice(&json).map_err(unreadable)?
        };
        card.compile().map_err(|message| damaged(&message))
    }
}

impl fmt::Debug for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pack").field("cards", &self.len()).finish()
    }
}

impl fmt::Debug for PackedCard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PackedCard").field(&self.id).finish()
    }
}

/// Means in the facts that a card is deprecated. The letters besides this one and [`COMMON`] are those of
/// [`audience_letter`].
pub(super) const DEPRECATED: char = 'd';
/// Means in the facts that other programs for GitHub do the same.
pub(super) const COMMON: char = 'p';

/// Returns the letter that stands for an audience in the facts.
pub(super) fn audience_letter(audience: Audience) -> char {
    match audience {
        Audience::Organization => 'o',
        Audience::Enterprise => 'e',
        Audience::App => 'a',
        Audience::Installation => 'i',
        Audience::OauthApp => 'c',
    }
}

fn audience(letter: char) -> Option<Audience> {
    Audience::ALL
        .into_iter()
        .find(|audience| audience_letter(*audience) == letter)
}

/// Returns one of the texts that begin at a place.
fn text(bytes: &[u8], at: usize, number: usize) -> &str {
    let rest = bytes.get(at..).unwrap_or_default();
    let mut texts = rest.split(|byte| *byte == END);
    str::from_utf8(texts.nth(number).unwrap_or_default()).unwrap_or_default()
}

/// Replaces dots by spaces: `pr.review` and `pr review` mean the same.
pub(crate) fn spaced(name: &str) -> String {
    name.replace('.', " ")
}

/// Returns the first place of a sorted list that is not below a value.
fn partition(len: usize, is_below: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_below(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn inflated(bytes: &[u8], full: usize) -> Option<Vec<u8>> {
    if full > MAX_BLOCK {
        return None;
    }
    let mut block = Vec::with_capacity(full);
    let mut inflate = Decompress::new(false);
    let status = inflate
        .decompress_vec(bytes, &mut block, FlushDecompress::Finish)
        .ok()?;
    (status == Status::StreamEnd && block.len() == full).then_some(block)
}
