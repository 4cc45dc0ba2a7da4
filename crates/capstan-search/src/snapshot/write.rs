//! Writes an index to bytes. The same content gives the same bytes.

use std::collections::HashMap;

use super::{FORMAT, MAGIC};
use crate::Index;
use crate::index::Usage;

impl Index {
    /// Returns the whole index as bytes for [`from_bytes`](Self::from_bytes).
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Body(Vec::new());
        body.text(&self.model);
        body.number(self.vectors.dimension());
        let ranks = self.write_words(&mut body);
        self.write_documents(&mut body, &ranks);
        let Body(body) = body;
        let mut bytes = Vec::with_capacity(body.len() + 16);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Writes the words in order, and returns the rank of each slot.
    fn write_words(&self, body: &mut Body) -> HashMap<u32, u32> {
        let mut words: Vec<_> = self.vocabulary.words().collect();
        words.sort_unstable_by_key(|(_, text)| *text);
        body.number(words.len());
        let mut ranks = HashMap::with_capacity(words.len());
        for (rank, (place, text)) in words.into_iter().enumerate() {
            body.text(text);
            ranks.insert(place, rank as u32);
        }
        ranks
    }

    fn write_documents(&self, body: &mut Body, ranks: &HashMap<u32, u32>) {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_unstable_by_key(|(_, entry)| &*entry.key);
        body.number(entries.len());
        for (place, entry) in entries {
            body.text(&entry.key);
            body.number(entry.names.len());
            for name in &entry.names {
                body.text(name);
            }
            body.0.extend(entry.digest.0);
            body.0.extend(self.lengths.get(place));
            let rank = |usage: &Usage| Some((*ranks.get(&usage.word)?, usage.counts));
            let mut words: Vec<_> = entry.words.iter().filter_map(rank).collect();
            words.sort_unstable();
            body.number(words.len());
            for (rank, counts) in words {
                body.0.extend(rank.to_le_bytes());
                body.0.extend(counts);
            }
            let (bytes, scale) = self.vectors.get(place);
            body.vector(bytes, scale);
            let intents = self.vectors.intents(place);
            body.number(intents.len());
            for intent in intents {
                body.vector(&intent.bytes, intent.scale);
            }
        }
    }
}

struct Body(Vec<u8>);

impl Body {
    fn number(&mut self, number: usize) {
        self.0.extend((number as u32).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.extend(text.as_bytes());
    }

    fn vector(&mut self, bytes: &[i8], scale: f32) {
        self.0.extend(scale.to_le_bytes());
        self.0.extend(bytes.iter().map(|it| it.cast_unsigned()));
    }
}
