//! Packs a vocabulary into bytes that are searched in place. The build script packs the compiled-in one;
//! those of models on the disk are packed when they are read.
//!
//! ```text
//! number of words, number of slots, length of the longest word     u32 each
//! slots: a word's hash, its id + 1 (0: empty)                      u32 each, open addressing
//! where each word ends in the text                                 u32 each, a 0 before the first
//! text: the words in the order of their ids
//! ```
//! All numbers are little-endian.

/// The longest word of a vocabulary, in bytes. Searching needs a bound.
pub(crate) const MAX_WORD_BYTES: usize = 256;

pub(crate) const HEADER: usize = 12;

/// Packs words. The id of a word is its index. The caller ensures that no word is longer than the
/// bound, and that there are fewer than 2³¹ words.
pub(crate) fn pack(words: &[String]) -> Vec<u8> {
    let slots = (words.len() * 2).next_power_of_two();
    let mut table = vec![[0_u32; 2]; slots];
    for (id, word) in words.iter().enumerate() {
        let hash = word.bytes().fold(SEED, step);
        let mut slot = hash as usize & (slots - 1);
        while table[slot][1] != 0 {
            slot = (slot + 1) & (slots - 1);
        }
        table[slot] = [hash, id as u32 + 1];
    }
    let longest = words.iter().map(String::len).max().unwrap_or_default();
    let mut numbers = vec![words.len() as u32, slots as u32, longest as u32];
    numbers.extend(table.into_iter().flatten());
    numbers.push(0);
    numbers.extend(words.iter().scan(0, |end, word| {
        *end += word.len() as u32;
        Some(*end)
    }));
    let mut packed: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
    packed.extend(words.iter().flat_map(|word| word.bytes()));
    packed
}

/// The hash of no bytes.
pub(crate) const SEED: u32 = 0x811c_9dc5;

/// Returns the hash after one more byte (FNV-1a). All prefixes of a word are hashed in one pass.
pub(crate) const fn step(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}
