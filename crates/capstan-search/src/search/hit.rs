//! A document that was found, and the reasons.

use super::fusion::Signals;

/// A document that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    pub key: String,
    /// How likely it is what the query asks for: from 0 to 1, and comparable between queries. See
    /// [`FITS`](crate::FITS).
    pub score: f32,
    /// What documents are sorted by: their score with the query's priors, which is only comparable
    /// between the hits of one query. It is infinite for named documents.
    pub rank: f32,
    pub why: Why,
}

/// Why a document was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Why {
    /// Set if the query is one of its names.
    pub exact: Option<Exact>,
    /// The words of the query that it has in some form, as written in the query.
    pub words: Vec<String>,
    /// The words of the query that no document has, with similar words of the document.
    pub corrected: Vec<Correction>,
    /// The cosine between the query and the document.
    pub cosine: f32,
    /// The signals that rank it, if both words and meaning count.
    pub signals: Signals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exact {
    Id,
    Name,
    /// The id begins with the query.
    Beginning,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Correction {
    pub from: String,
    pub to: String,
}
