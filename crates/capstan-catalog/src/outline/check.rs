//! Tells whether an outline becomes a card that can be run.

use capstan_core::card::Card;

use super::{Outline, expand};
use crate::pack::CardJson;

/// Expands and compiles an outline, or returns why that is not possible.
pub fn check(id: &str, outline: &Outline) -> Result<(), String> {
    compiled(id, outline).map(|_| ())
}

/// Returns the card that an outline becomes, or why that is not possible.
pub fn card_of(id: &str, outline: &Outline) -> Result<Card, String> {
    compiled(id, outline)?.compile()
}

/// Returns the card of an outline, which compiles.
pub(crate) fn compiled(id: &str, outline: &Outline) -> Result<CardJson, String> {
    let (card, documents) = expand(id, outline)?;
    let card = CardJson::new(card, documents);
    card.clone().compile().map(|_| card)
}
