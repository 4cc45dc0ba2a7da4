//! The layout of a pack. All numbers are 32 bits, little endian.
//!
//! ```text
//! header    magic, number of cards, number of other names, number of blocks
//! cards     for each card, sorted by id: where its facts begin, its block, where it begins and ends there
//! names     for each other name, sorted: where it begins, its card
//! blocks    for each block: where it begins, its size as stored, its size in full
//! facts     texts: what lists and searches read
//! data      the blocks: cards as JSON, deflated if the size in full differs
//! ```

/// The first bytes of a pack. Another layout gets another number.
pub(super) const MAGIC: [u8; 4] = *b"CPK1";

pub(super) const WORD: usize = 4;
pub(super) const HEADER: usize = 4 * WORD;
pub(super) const CARD: usize = 4 * WORD;
pub(super) const NAME: usize = 2 * WORD;
pub(super) const BLOCK: usize = 3 * WORD;

/// Ends each fact of a card.
pub(super) const END: u8 = 0;
/// Separates the values of a fact that is a list.
pub(super) const SEPARATOR: char = '\u{1f}';
