//! The layout of a pack. All numbers are 32 bits, little endian.
//!
//! ```text
//! header    magic, number of cards, number of other names, number of blocks, what the blocks have
//! cards     for each card, sorted by id: where its id begins, where its facts begin in the first block, its block,
//!           where it begins and ends there
//! names     for each other name, sorted: where it begins, its card
//! blocks    for each block: where it begins, its size as stored, its size in full
//! texts     ids and other names
//! data      the blocks, deflated if the size in full differs: first the facts, which lists and searches read; then
//!           cards or outlines as JSON
//! ```

/// The first bytes of a pack. Another layout gets another number.
pub(crate) const MAGIC: [u8; 4] = *b"CPK3";

pub(super) const WORD: usize = 4;
pub(super) const HEADER: usize = 5 * WORD;
pub(super) const CARD: usize = 5 * WORD;
pub(super) const NAME: usize = 2 * WORD;
pub(super) const BLOCK: usize = 3 * WORD;

/// The block of the facts.
pub(super) const FACTS: usize = 0;

/// What the blocks have: cards, or outlines, which become cards when they are unpacked.
pub(super) const HAS_CARDS: usize = 0;
pub(super) const HAS_OUTLINES: usize = 1;

/// Ends each fact of a card.
pub(super) const END: u8 = 0;
/// Separates the values of a fact that is a list.
pub(super) const SEPARATOR: char = '\u{1f}';
