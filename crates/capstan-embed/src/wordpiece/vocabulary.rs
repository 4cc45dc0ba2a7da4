//! A packed vocabulary, searched in place.

use std::borrow::Cow;

use super::pack::{HEADER, MAX_WORD_BYTES, SEED, step};

/// The prefix of a piece that continues a word.
const CONTINUING: &[u8; 2] = b"##";

/// The hash of [`CONTINUING`].
const SEED_CONTINUING: u32 = step(step(SEED, b'#'), b'#');

#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    packed: Cow<'static, [u8]>,
    words: usize,
    slots: usize,
    longest: usize,
}

impl Vocabulary {
    /// Wraps the result of [`pack`](super::pack::pack).
    pub(crate) fn new(packed: impl Into<Cow<'static, [u8]>>) -> Self {
        let packed = packed.into();
        let (header, _) = packed.as_chunks();
        let number = |at: usize| header.get(at).map_or(0, |number| read_number(*number));
        Self {
            words: number(0),
            slots: number(1),
            longest: number(2).min(MAX_WORD_BYTES),
            packed,
        }
    }

    pub(crate) fn word(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let ends_at = HEADER + self.slots * 8;
        let text_at = ends_at + (self.words + 1) * 4;
        let (ends, _) = self.packed[ends_at..text_at].as_chunks();
        &self.packed[text_at..][read_number(ends[id])..read_number(ends[id + 1])]
    }

    /// Returns the longest word at the start of `text`: its id and how many bytes it covers.
    /// `continuing` selects words that continue another.
    pub(crate) fn longest_match(&self, text: &[u8], continuing: bool) -> Option<(u32, usize)> {
        let (before, seed): (&[u8], _) = if continuing {
            (CONTINUING, SEED_CONTINUING)
        } else {
            (&[], SEED)
        };
        let most = text.len().min(self.longest);
        let mut hashes = [0; MAX_WORD_BYTES];
        let mut hash = seed;
        for (kept, byte) in hashes.iter_mut().zip(&text[..most]) {
            hash = step(hash, *byte);
            *kept = hash;
        }
        (1..=most).rev().find_map(|length| {
            let id = self.find(hashes[length - 1], before, &text[..length])?;
            Some((id, length))
        })
    }

    fn find(&self, hash: u32, before: &[u8], rest: &[u8]) -> Option<u32> {
        let (slots, _) = self.packed[HEADER..HEADER + self.slots * 8].as_chunks::<8>();
        let mut at = hash as usize & (self.slots - 1);
        loop {
            let [h0, h1, h2, h3, ids @ ..] = slots[at];
            let id = u32::from_le_bytes(ids).checked_sub(1)?;
            if u32::from_le_bytes([h0, h1, h2, h3]) == hash
                && self.word(id).strip_prefix(before) == Some(rest)
            {
                return Some(id);
            }
            at = (at + 1) & (self.slots - 1);
        }
    }
}

fn read_number(bytes: [u8; 4]) -> usize {
    u32::from_le_bytes(bytes) as usize
}

#[cfg(test)]
mod tests {
    use super::super::pack::pack;
    use super::*;

    fn vocabulary(words: &[&str]) -> Vocabulary {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        Vocabulary::new(pack(&words))
    }

    #[test]
    fn the_longest_word_is_found() {
        let words = vocabulary(&["a", "ab", "abcd", "##c", "##cd", "é"]);
        assert_eq!(words.longest_match(b"abc", false), Some((1, 2)));
        assert_eq!(words.longest_match(b"abcde", false), Some((2, 4)));
        assert_eq!(words.longest_match(b"cd", true), Some((4, 2)));
        assert_eq!(words.longest_match(b"cd", false), None);
        assert_eq!(words.longest_match(b"a", true), None);
        assert_eq!(words.longest_match("éa".as_bytes(), false), Some((5, 2)));
    }

    #[test]
    fn what_looks_like_a_continuation_is_one_only_inside_a_word() {
        let words = vocabulary(&["##c", "#"]);
        assert_eq!(words.longest_match(b"##c", false), Some((0, 3)));
        assert_eq!(words.longest_match(b"##c", true), None);
    }

    #[test]
    fn an_empty_vocabulary_finds_nothing() {
        assert_eq!(vocabulary(&[]).longest_match(b"a", false), None);
        assert_eq!(vocabulary(&["a"]).longest_match(b"", false), None);
    }
}
