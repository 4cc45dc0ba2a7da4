//! What a report holds.

use capstan_search::Method;

use crate::{Confidence, Figures, Margin, Part};

#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Whose vectors were used.
    pub model: String,
    pub rows: Vec<Row>,
    pub confidence: [(Part, Confidence); 3],
}

/// One source.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub source: String,
    pub documents: usize,
    /// By words, by meaning, by both.
    pub figures: [(Part, [Figures; 3]); 3],
    /// The hybrid method against the better single one.
    pub margins: [(Part, Margin); 3],
    /// The share of names and ids that find what they name in the first place. Not asked in pools: names are not
    /// unique there.
    pub names: Option<f64>,
}

pub(crate) const METHODS: [Method; 3] = [Method::Words, Method::Meaning, Method::Hybrid];

pub(crate) fn name(method: Method) -> &'static str {
    match method {
        Method::Words => "BM25",
        Method::Meaning => "embeddings",
        Method::Hybrid => "hybrid",
    }
}

impl Row {
    pub fn of(&self, part: Part) -> [Figures; 3] {
        let own = self.figures.iter().find(|(it, _)| *it == part);
        own.map(|(_, figures)| *figures).unwrap_or_default()
    }

    pub fn margin(&self, part: Part) -> Option<Margin> {
        let own = self.margins.iter().find(|(it, _)| *it == part);
        own.map(|(_, margin)| *margin)
    }
}

impl Report {
    pub fn confidence(&self, part: Part) -> Confidence {
        let own = self.confidence.iter().find(|(it, _)| *it == part);
        own.map(|(_, confidence)| *confidence).unwrap_or_default()
    }
}
