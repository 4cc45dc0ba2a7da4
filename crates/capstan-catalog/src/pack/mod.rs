//! Packed cards: many cards in one run of bytes, which can be searched without unpacking them.

mod card;
mod layout;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use card::CardJson;
pub(crate) use layout::MAGIC;
pub(crate) use reader::spaced;
pub use reader::{Pack, PackedCard, Standing};
pub(crate) use writer::{Blocks, PackEntry, card_entry, outline_entry, pack_entries};
pub use writer::{PackedOutlines, pack, pack_outlines};
