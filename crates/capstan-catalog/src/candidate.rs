//! A card with the words that it can be found by.

use crate::Summary;

#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    pub summary: Summary<'a>,
    /// Ways people ask for it.
    pub intents: Vec<&'a str>,
    pub parameters: Vec<&'a str>,
}
