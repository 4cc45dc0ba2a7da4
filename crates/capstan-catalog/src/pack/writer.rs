//! Writes packs.

use std::path::Path;

use capstan_core::card::Operation;
use flate2::{Compress, Compression, FlushCompress, Status};
use serde_json::Value;

use super::CardJson;
use super::layout::{BLOCK, CARD, END, HEADER, MAGIC, NAME, SEPARATOR};
use super::reader::spaced;
use crate::files::find_yaml_files;
use crate::load::{parse, read_card, read_document_of};
use crate::outline::{compiled, read_outlines};

/// Packs every card below `dir`, each by itself, so that one is unpacked without the others. On failure it returns
/// all problems, one line each.
pub fn pack(dir: &Path) -> Result<Vec<u8>, Vec<String>> {
    let found = find_yaml_files(dir);
    let mut problems: Vec<_> = found
        .unreadable
        .iter()
        .map(|(folder, cause)| format!("{}: {cause}", folder.display()))
        .collect();
    let mut cards = Vec::new();
    for file in found.files {
        let packed = read_card(&file).and_then(|source| {
            // The loader comes first because its diagnostics have locations.
            crate::load_text(&source, read_document_of(&file, dir))?;
            parse(&source, read_document_of(&file, dir))
        });
        match packed {
            Ok((card, documents)) => cards.push(CardJson::new(card, documents)),
            Err(diagnostics) => problems.extend(diagnostics.iter().map(ToString::to_string)),
        }
    }
    if problems.is_empty() {
        pack_cards(cards, Blocks::Single).map_err(|problem| vec![problem])
    } else {
        Err(problems)
    }
}

/// Packs every outline below `dir`. On failure it returns all problems, one line each.
pub fn pack_outlines(dir: &Path) -> Result<Vec<u8>, Vec<String>> {
    let outlines = read_outlines(dir)?;
    let mut problems = Vec::new();
    let mut cards = Vec::new();
    for (id, outline) in outlines {
        match compiled(&id, &outline) {
            Ok(card) => cards.push(card),
            Err(problem) => problems.push(format!("{id}: {problem}")),
        }
    }
    if problems.is_empty() {
        pack_cards(cards, Blocks::Deflated).map_err(|problem| vec![problem])
    } else {
        Err(problems)
    }
}

/// How cards are put into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// One card in each, as it is: fastest to unpack.
    Single,
    /// Several in each, deflated: much smaller.
    Deflated,
}

/// About how many bytes of JSON share a deflated block. Larger blocks are smaller in sum and take longer to unpack.
const BLOCK_BYTES: usize = 16 << 10;

pub(crate) fn pack_cards(mut cards: Vec<CardJson>, blocks: Blocks) -> Result<Vec<u8>, String> {
    cards.sort_by(|left, right| left.card.capability_id.cmp(&right.card.capability_id));
    let mut facts = Vec::new();
    let mut records = Vec::new();
    let mut names: Vec<(String, usize)> = Vec::new();
    let mut data = BlockWriter::new(blocks);
    for (index, card) in cards.iter().enumerate() {
        let id = &card.card.capability_id;
        let json = serde_json::to_vec(card).map_err(|error| format!("{id}: {error}"))?;
        let place = data.add(&json);
        let texts = facts_of(card)?;
        names.extend(texts.names.iter().map(|name| (spaced(name), index)));
        records.push((facts.len(), place));
        texts.write(&mut facts);
    }
    names.sort();
    let mut name_records = Vec::new();
    for (name, card) in names {
        name_records.push((facts.len(), card));
        facts.extend_from_slice(name.as_bytes());
        facts.push(END);
    }
    let blocks = data.finish()?;
    let facts_start =
        HEADER + records.len() * CARD + name_records.len() * NAME + blocks.len() * BLOCK;
    let data_start = facts_start + facts.len();
    let mut out = Output(MAGIC.to_vec());
    out.words(&[records.len(), name_records.len(), blocks.len()])?;
    for (fact, place) in records {
        out.words(&[facts_start + fact, place.block, place.start, place.end])?;
    }
    for (name, card) in name_records {
        out.words(&[facts_start + name, card])?;
    }
    let mut start = data_start;
    for block in &blocks {
        out.words(&[start, block.stored.len(), block.full])?;
        start += block.stored.len();
    }
    out.0.extend(facts);
    out.0
        .extend(blocks.into_iter().flat_map(|block| block.stored));
    Ok(out.0)
}

/// What lists and searches read of a card.
struct Facts<'a> {
    id: &'a str,
    operation: Operation,
    description: &'a str,
    intents: Vec<&'a str>,
    parameters: Vec<&'a str>,
    names: Vec<&'a str>,
}

fn facts_of(card: &CardJson) -> Result<Facts<'_>, String> {
    let card = &card.card;
    let id = card.capability_id.as_str();
    let Some(operation) = card.operation else {
        return Err(format!("{id}: the operation is not known"));
    };
    let properties = card
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let parameters = properties
        .into_iter()
        .flat_map(|properties| properties.keys());
    let facts = Facts {
        id,
        operation,
        description: &card.description,
        intents: card.intents.iter().map(String::as_str).collect(),
        parameters: parameters.map(String::as_str).collect(),
        names: card.names.iter().filter_map(name_of).collect(),
    };
    if facts.has_control_characters() {
        return Err(format!("{id}: a text has a control character"));
    }
    Ok(facts)
}

/// A name is a text, or an object with conditions.
fn name_of(raw: &Value) -> Option<&str> {
    raw.as_str().or_else(|| raw.get("name")?.as_str())
}

impl Facts<'_> {
    fn has_control_characters(&self) -> bool {
        let lists = [&self.intents, &self.parameters, &self.names];
        let mut texts = lists.into_iter().flatten().chain([&self.description]);
        texts.any(|text| text.contains([char::from(END), SEPARATOR]))
    }

    fn write(&self, out: &mut Vec<u8>) {
        let operation = match self.operation {
            Operation::Read => "r",
            Operation::Write => "w",
        };
        let separator = SEPARATOR.to_string();
        let joined =
            [&self.intents, &self.parameters, &self.names].map(|list| list.join(&separator));
        let single = [self.id, operation, self.description].into_iter();
        for fact in single.chain(joined.iter().map(String::as_str)) {
            out.extend_from_slice(fact.as_bytes());
            out.push(END);
        }
    }
}

/// Where a card is.
struct Place {
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

    fn add(&mut self, json: &[u8]) -> Place {
        let limit = match self.blocks {
            Blocks::Single => 0,
            Blocks::Deflated => BLOCK_BYTES,
        };
        if !self.open.is_empty() && self.open.len() + json.len() > limit {
            self.finished.push(std::mem::take(&mut self.open));
        }
        let start = self.open.len();
        self.open.extend_from_slice(json);
        Place {
            block: self.finished.len(),
            start,
            end: self.open.len(),
        }
    }

    fn finish(mut self) -> Result<Vec<Block>, String> {
        if !self.open.is_empty() {
            self.finished.push(self.open);
        }
        let blocks = self.finished.into_iter();
        blocks
            .map(|block| match self.blocks {
                Blocks::Single => Ok(Block {
                    full: block.len(),
                    stored: block,
                }),
                Blocks::Deflated => deflated(block),
            })
            .collect()
    }
}

/// Deflates a block. One that does not get smaller is stored as it is.
fn deflated(block: Vec<u8>) -> Result<Block, String> {
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
