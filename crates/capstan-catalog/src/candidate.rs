//! A card with the words by which it can be found.

use crate::Summary;

/// A card and the texts that a search can match.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    pub summary: Summary<'a>,
    /// Phrases in which people ask for the card.
    pub intents: Vec<&'a str>,
    pub parameters: Vec<&'a str>,
}
