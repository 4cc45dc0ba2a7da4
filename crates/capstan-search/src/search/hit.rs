//! What is told about a document that was found.

use super::fusion::Signals;

#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub key: String,
    /// How likely it is what was meant: from 0 to 1, and comparable between queries. See [`FITS`](crate::FITS).
    pub score: f32,
    pub why: Why,
}

/// By what a document was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Why {
    /// The query is one of its names.
    pub exact: Option<Exact>,
    /// Words of the query that it has, in some form, as they stand in the query.
    pub words: Vec<String>,
    /// Words of the query that no document has, and those that it has and that were meant.
    pub corrected: Vec<Correction>,
    /// How near its meaning is: the cosine between the query and the document.
    pub cosine: f32,
    /// What it is ranked by, if both words and meaning count.
    pub signals: Signals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exact {
    Id,
    Name,
    /// Its id begins with the query.
    Beginning,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Correction {
    pub from: String,
    pub to: String,
}
