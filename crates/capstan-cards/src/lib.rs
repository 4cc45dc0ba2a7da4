//! The GitHub cards that ship with Capstan, packed at build time from the `cards` folder.
//!
//! Data only: it must not know how cards are run.

use capstan_catalog::Pack;

/// Every built-in card.
pub static CARDS: Pack = Pack::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/cards.pack")));
