//! The contents of a report.

use capstan_search::Method;

use crate::{Confidence, Figures, Margin, Part};

#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The name of the embedding model.
    pub model: String,
    pub rows: Vec<Row>,
    pub confidence: [(Part, Confidence); 3],
}

/// The results for one source.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub source: String,
    pub documents: usize,
    /// The figures by words, by meaning and by both.
    pub figures: [(Part, [Figures; 3]); 3],
    /// The difference between the hybrid method and the better single method.
    pub margins: [(Part, Margin); 3],
    /// The share of names and ids for which the first result is the named document. `None` in pools, where names are
    /// not unique.
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
