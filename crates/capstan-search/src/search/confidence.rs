//! Estimates how likely it is that a document is what the query asks for.
//!
//! It is a logistic regression over the best hits for public queries. Queries for other catalogues
//! served as those that nothing fits.

/// The score from which a document fits. Five of six first hits with this score are right; of the
/// queries that nothing fits, one in fifty reaches it.
pub const FITS: f32 = 0.5;

/// The largest confidence without a matching name.
const MAX_CONFIDENCE: f32 = 0.99;

/// The confidence if the query consists of exactly the words of an id. Such a query seldom asks for
/// something else.
pub(crate) const ID_WORDS_CONFIDENCE: f32 = 0.9;

/// Returns the confidence in a document, from 0 to 1. `words` is its BM25; `cosine` is `None` if
/// meaning does not count. In a larger catalogue, chance alone finds more similar documents.
pub(crate) fn confidence(words: f32, cosine: Option<f32>, documents: usize) -> f32 {
    let size = (documents.max(1) as f32).ln();
    let evidence = match cosine {
        Some(cosine) => -2.7 + 7.2 * cosine + 0.18 * words - 0.64 * size,
        None => -1.2 + 0.24 * words - 0.44 * size,
    };
    MAX_CONFIDENCE / (1.0 + (-evidence).exp())
}
