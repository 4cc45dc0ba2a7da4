//! What is looked for, and what is found.

use capstan_core::card::{Kind, Operation};

/// Nobody reads further; what fits an intent worse than so many others does not fit.
pub const MOST_FOUND: usize = 50;

/// What is looked for. Everything empty lists everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    pub intent: Option<String>,
    pub domain: Option<String>,
    pub kind: Option<Kind>,
}

/// What somebody asks for, to be found by what it says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// By what it is looked for: what is to be done, without which one it is to be done with.
    pub(crate) text: String,
    /// As it was said: it may name a capability.
    pub(crate) said: String,
}

impl Asked {
    pub(crate) fn plainly(said: impl AsRef<str>) -> Self {
        let said = said.as_ref();
        Self {
            text: said.to_owned(),
            said: said.to_owned(),
        }
    }
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub id: String,
    pub description: String,
    pub operation: Operation,
    pub kind: Kind,
    /// Of code, which may have a short name as its id.
    pub fqdn: Option<String>,
    /// How well it fits, from 0 to 1; zero when nothing was looked for.
    pub score: f64,
    /// By what it was found, in words.
    pub why: Option<String>,
    /// For code: which share of its uses went well.
    pub reliability: Option<f64>,
}

/// What is found, and what could not be searched.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Search {
    pub(crate) hits: Vec<Hit>,
    pub(crate) warnings: Vec<String>,
}
