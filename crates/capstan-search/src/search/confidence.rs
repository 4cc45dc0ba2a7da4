//! How likely it is that a document is what was meant.
//!
//! A logistic regression over the best hits for public queries, with queries that belong to other
//! catalogues as those that nothing fits.

/// From this score on, five of six documents that come first are what was meant; of queries that nothing
/// fits, one in fifty reaches it.
pub const FITS: f32 = 0.5;

/// What is sure short of a name.
const MOST: f32 = 0.99;

/// Whoever says all words of an id, and no other, seldom means something else.
pub(crate) const SAID: f32 = 0.9;

/// `words` is the document's BM25, `cosine` is missing where meaning was not asked; chance finds something
/// that is more alike in a larger catalogue.
pub(crate) fn confidence(words: f32, cosine: Option<f32>, documents: usize) -> f32 {
    let size = (documents.max(1) as f32).ln();
    let evidence = match cosine {
        Some(cosine) => -2.7 + 7.2 * cosine + 0.18 * words - 0.64 * size,
        None => -1.2 + 0.24 * words - 0.44 * size,
    };
    MOST / (1.0 + (-evidence).exp())
}
