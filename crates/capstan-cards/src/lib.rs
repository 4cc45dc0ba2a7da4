//! The GitHub cards that ship with Capstan, packed at build time from the `cards` folder.
//!
//! Data only: it must not know how cards are run.

use capstan_catalog::BuiltinCard;
use capstan_core::card::Operation;

/// Every built-in card, in the order of their ids.
pub static CARDS: &[BuiltinCard] = include!(concat!(env!("OUT_DIR"), "/cards.rs"));
