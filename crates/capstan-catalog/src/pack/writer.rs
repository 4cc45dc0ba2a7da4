//! Writes packs.

use std::collections::BTreeSet;
use std::path::Path;

use capstan_core::card::Operation;
use flate2::{Compress, Compression, FlushCompress, Status};
use indexmap::IndexMap;
use serde_json::Value;

use super::CardJson;
use super::layout::{
    BLOCK, CARD, END, FACTS, HAS_CARDS, HAS_OUTLINES, HEADER, MAGIC, NAME, SEPARATOR,
};
use super::reader::{COMMON, DEPRECATED, MAX_BLOCK, audience_letter, spaced};
use crate::files::find_yaml_files;
use crate::load::{parse, read_card, read_document_of};
use crate::outline::{Outline, compiled, unsupported};

/// Packs every card below `dir`, each by itself, so that one is unpacked without the others. `source` returns what
/// GitHub calls the operation that has an outline with this id. It is also asked about each mutation that a card sends,
/// as `mutation closeIssue`. On failure it returns all problems, one line each.
pub fn pack(dir: &Path, source: impl Fn(&str) -> Option<String>) -> Result<Vec<u8>, Vec<String>> {
    let found = find_yaml_files(dir);
    let mut problems: Vec<_> = found
        .unreadable
        .iter()
        .map(|(folder, cause)| format!("{}: {cause}", folder.display()))
        .collect();
    let mut entries = Vec::new();
    for file in found.files {
        let packed = read_card(&file).and_then(|source| {
            // The loader comes first because its diagnostics have locations.
            crate::load_text(&source, read_document_of(&file, dir))?;
            parse(&source, read_document_of(&file, dir))
        });
        match packed {
            Ok((card, documents)) => match card_entry(&CardJson::new(card, documents), &source) {
                Ok(entry) => entries.push(entry),
                Err(problem) => problems.push(problem),
            },
            Err(diagnostics) => problems.extend(diagnostics.iter().map(ToString::to_string)),
        }
    }
    if problems.is_empty() {
        pack_entries(entries, Blocks::SingleCards).map_err(|problem| vec![problem])
    } else {
        Err(problems)
    }
}

/// The outlines of a folder as a pack.
#[derive(Clone, Debug)]
pub struct PackedOutlines {
    pub pack: Vec<u8>,
    /// The ids of the outlines that are not in the pack, each with the reason.
    pub left_out: Vec<(String, &'static str)>,
}

/// Packs every outline that can be run and whose id is not taken: a written card has that id, or that other
/// name. `is_common` tells of an operation, by what GitHub calls it, whether people often need it. On failure it returns
/// all problems, one line each.
pub fn pack_outlines(
    outlines: IndexMap<String, Outline>,
    is_taken: impl Fn(&str) -> bool,
    is_common: impl Fn(&str) -> bool,
) -> Result<PackedOutlines, Vec<String>> {
    let mut problems = Vec::new();
    let mut entries = Vec::new();
    let mut left_out = Vec::new();
    for (id, outline) in outlines {
        if is_taken(&id) {
            left_out.push((id, "a written card has this id or name"));
            continue;
        }
        if let Some(reason) = unsupported(&outline) {
            left_out.push((id, reason));
            continue;
        }
        let is_common = is_common(&outline.source);
        match outline_entry(&id, outline, is_common) {
            Ok(entry) => entries.push(entry),
            Err(problem) => problems.push(format!("{id}: {problem}")),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let pack = pack_entries(entries, Blocks::DeflatedOutlines).map_err(|problem| vec![problem])?;
    Ok(PackedOutlines { pack, left_out })
}

/// What blocks have, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// One card in each, as it is: fastest to unpack.
    SingleCards,
    /// Several cards in each, deflated: much smaller.
    DeflatedCards,
    /// Several outlines in each, deflated.
    DeflatedOutlines,
}

impl Blocks {
    fn are_deflated(self) -> bool {
        self != Self::SingleCards
    }
}

/// About how many bytes of JSON share a deflated block. Larger blocks are smaller in sum and take longer to unpack.
const BLOCK_BYTES: usize = 16 << 10;

/// A card or an outline to pack.
pub(crate) struct PackEntry {
    facts: Facts,
    json: Vec<u8>,
}

impl PackEntry {
    pub(crate) fn id(&self) -> &str {
        &self.facts.id
    }
}

pub(crate) fn card_entry(
    card: &CardJson,
    source: impl Fn(&str) -> Option<String>,
) -> Result<PackEntry, String> {
    let id = &card.card.capability_id;
    let json = serde_json::to_vec(card).map_err(|error| format!("{id}: {error}"))?;
    let deprecated = card.card.deprecated.is_some().then_some(DEPRECATED);
    let standing = deprecated.into_iter().collect();
    let mut facts = Facts::new(card, standing, Vec::new())?;
    let names = facts.names.iter().map(|name| name.replace(' ', "."));
    let mutations = card.mutations();
    let mutations = mutations.iter().map(|name| format!("mutation {name}"));
    let names = names.chain([facts.id.clone()]).chain(mutations);
    let names: BTreeSet<String> = names.collect();
    facts.sources = names.iter().filter_map(|name| source(name)).collect();
    Ok(PackEntry { facts, json })
}

pub(crate) fn outline_entry(
    id: &str,
    mut outline: Outline,
    is_common: bool,
) -> Result<PackEntry, String> {
    let card = compiled(id, &outline)?;
    let deprecated = outline.deprecated.is_some().then_some(DEPRECATED);
    let audience = outline.audience.map(audience_letter);
    let common = is_common.then_some(COMMON);
    let letters = [deprecated, audience, common].into_iter().flatten();
    let standing = letters.collect();
    let source = std::mem::take(&mut outline.source);
    let facts = Facts::new(&card, standing, vec![source])?;
    let json = serde_json::to_vec(&outline).map_err(|error| error.to_string())?;
    Ok(PackEntry { facts, json })
}

pub(crate) fn pack_entries(mut entries: Vec<PackEntry>, blocks: Blocks) -> Result<Vec<u8>, String> {
    entries.sort_by(|left, right| left.facts.id.cmp(&right.facts.id));
    let mut texts = Vec::new();
    let mut facts = Vec::new();
    let mut records = Vec::new();
    let mut names: Vec<(String, usize)> = Vec::new();
    let mut data = BlockWriter::new(blocks);
    for (index, entry) in entries.iter().enumerate() {
        let place = data.add(&entry.json);
        names.extend(entry.facts.names.iter().map(|name| (spaced(name), index)));
        records.push((texts.len(), facts.len(), place));
        push_text(&mut texts, &entry.facts.id);
        entry.facts.write(&mut facts);
    }
    names.sort();
    let mut name_records = Vec::new();
    for (name, card) in names {
        name_records.push((texts.len(), card));
        push_text(&mut texts, &name);
    }
    let blocks_of_data = data.finish();
    let stored = [facts].into_iter().chain(blocks_of_data);
    let stored = stored.map(|block| Block::new(block, blocks));
    let stored = stored.collect::<Result<Vec<_>, _>>()?;
    let texts_start =
        HEADER + records.len() * CARD + name_records.len() * NAME + stored.len() * BLOCK;
    let kind = match blocks {
        Blocks::SingleCards | Blocks::DeflatedCards => HAS_CARDS,
        Blocks::DeflatedOutlines => HAS_OUTLINES,
    };
    let mut out = Output(MAGIC.to_vec());
    out.words(&[records.len(), name_records.len(), stored.len(), kind])?;
    for (id, facts, place) in records {
        // The facts are the first block.
        let block = FACTS + 1 + place.block;
        out.words(&[texts_start + id, facts, block, place.start, place.end])?;
    }
    for (name, card) in name_records {
        out.words(&[texts_start + name, card])?;
    }
    let mut start = texts_start + texts.len();
    for block in &stored {
        out.words(&[start, block.stored.len(), block.full])?;
        start += block.stored.len();
    }
    out.0.extend(texts);
    out.0
        .extend(stored.into_iter().flat_map(|block| block.stored));
    Ok(out.0)
}

fn push_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
    out.push(END);
}

/// What lists and searches read of a card.
struct Facts {
    id: String,
    operation: Operation,
    description: String,
    intents: Vec<String>,
    parameters: Vec<String>,
    names: Vec<String>,
    /// Letters that say who can use the card, and whether it is deprecated or common.
    standing: String,
    /// What GitHub calls its operations.
    sources: Vec<String>,
}

/// A name is a text, or an object with conditions.
fn name_of(raw: &Value) -> Option<&str> {
    raw.as_str().or_else(|| raw.get("name")?.as_str())
}

impl Facts {
    fn new(card: &CardJson, standing: String, sources: Vec<String>) -> Result<Self, String> {
        let card = &card.card;
        let id = card.capability_id.clone();
        let Some(operation) = card.operation else {
            return Err(format!("{id}: the operation is not known"));
        };
        let properties = card.input_schema.get("properties");
        let properties = properties.and_then(Value::as_object).into_iter().flatten();
        let names = card.names.iter().filter_map(name_of);
        let facts = Self {
            id,
            operation,
            description: card.description.clone(),
            intents: card.intents.clone(),
            parameters: properties.map(|(name, _)| name.clone()).collect(),
            names: names.map(str::to_owned).collect(),
            standing,
            sources,
        };
        if facts.has_control_characters() {
            return Err(format!("{}: a text has a control character", facts.id));
        }
        Ok(facts)
    }

    fn has_control_characters(&self) -> bool {
        let lists = [&self.intents, &self.parameters, &self.names, &self.sources];
        let mut texts = lists.into_iter().flatten().chain([&self.description]);
        texts.any(|text| text.contains([char::from(END), SEPARATOR]))
    }

    fn write(&self, out: &mut Vec<u8>) {
        let operation = match self.operation {
            Operation::Read => "r",
            Operation::Write => "w",
        };
        let separator = SEPARATOR.to_string();
        push_text(out, operation);
        push_text(out, &self.description);
        for list in [&self.intents, &self.parameters, &self.names] {
            push_text(out, &list.join(&separator));
        }
        push_text(out, &self.standing);
        push_text(out, &self.sources.join(&separator));
    }
}

/// Where a card is.
struct CardSpan {
    block: usize,
    start: usize,
    end: usize,
}

struct Block {
    stored: Vec<u8>,
    full: usize,
}

struct BlockWriter {
    blocks: Blocks,
    finished: Vec<Vec<u8>>,
    open: Vec<u8>,
}

impl BlockWriter {
    fn new(blocks: Blocks) -> Self {
        Self {
            blocks,
            finished: Vec::new(),
            open: Vec::new(),
        }
    }

    fn add(&mut self, json: &[u8]) -> CardSpan {
        let limit = if self.blocks.are_deflated() {
            BLOCK_BYTES
        } else {
            0
        };
        if !self.open.is_empty() && self.open.len() + json.len() > limit {
            self.finished.push(std::mem::take(&mut self.open));
        }
        let start = self.open.len();
        self.open.extend_from_slice(json);
        CardSpan {
            block: self.finished.len(),
            start,
            end: self.open.len(),
        }
    }

    fn finish(mut self) -> Vec<Vec<u8>> {
        if !self.open.is_empty() {
            self.finished.push(self.open);
        }
        self.finished
    }
}

impl Block {
    fn new(block: Vec<u8>, blocks: Blocks) -> Result<Self, String> {
        if blocks.are_deflated() {
            return deflated(block);
        }
        Ok(Self {
            full: block.len(),
            stored: block,
        })
    }
}

/// Deflates a block. One that does not get smaller, or that readers would refuse to inflate, is stored as it is.
fn deflated(block: Vec<u8>) -> Result<Block, String> {
    if block.len() > MAX_BLOCK {
        return Ok(Block {
            full: block.len(),
            stored: block,
        });
    }
    let mut stored = Vec::with_capacity(block.len());
    let mut deflate = Compress::new(Compression::best(), false);
    let status = deflate
        .compress_vec(&block, &mut stored, FlushCompress::Finish)
        .map_err(|error| format!("cannot compress cards: {error}"))?;
    Ok(
        if status == Status::StreamEnd && stored.len() < block.len() {
            Block {
                full: block.len(),
                stored,
            }
        } else {
            Block {
                full: block.len(),
                stored: block,
            }
        },
    )
}

struct Output(Vec<u8>);

impl Output {
    fn words(&mut self, words: &[usize]) -> Result<(), String> {
        for word in words {
            let word = u32::try_from(*word).map_err(|_| "there are too many cards for one pack")?;
            self.0.extend_from_slice(&word.to_le_bytes());
        }
        Ok(())
    }
}
