//! How much words count beside meaning.
//!
//! BM25 is not scaled to the best hit: a long query that copies the words of a document gathers much more
//! of it than cosines can differ by, and so is decided by words, while a loose one is decided by meaning.
//! Where the best document holds nearly all that the catalogue knows of the query's words, words count
//! more still.

/// What one unit of BM25 is worth in cosine, if no document holds the query's words.
const LEAST: f32 = 0.03;
/// How much more if one does.
const GAIN: f32 = 2.0;
/// BM25 beyond this share of the words' weight says that they stand in a name, or often; enough is enough.
const FULL: f32 = 1.5;

/// What a unit of BM25 is worth. `best` is the BM25 of the best document, `known` the summed rarity of those
/// words of the query that any document has.
pub(crate) fn worth_of_words(best: f32, known: f32) -> f32 {
    if known <= 0.0 {
        return LEAST;
    }
    let held = (best / known).min(FULL);
    LEAST * (1.0 + GAIN * held * held)
}

/// How near a document is, by the query's parts: as a whole, and by the part that is nearest, because one
/// intent may ask for several things.
pub(crate) fn nearness(whole: f32, parts: impl Iterator<Item = f32>) -> f32 {
    f32::midpoint(whole, parts.fold(whole, f32::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_document_holds_are_worth_more() {
        assert!(worth_of_words(0.0, 10.0) < worth_of_words(8.0, 10.0));
        assert!(worth_of_words(15.0, 10.0) == worth_of_words(40.0, 10.0));
        assert!(worth_of_words(1.0, 0.0) == LEAST);
    }

    #[test]
    fn the_nearest_part_counts_half() {
        assert!((nearness(0.2, [0.1, 0.6].into_iter()) - 0.4).abs() < 1e-6);
        assert!((nearness(0.2, [].into_iter()) - 0.2).abs() < 1e-6);
    }
}
