//! How much words count, and how much meaning.
//!
//! Neither is scaled to the best hit. Meaning is by how many deviations a document is nearer than the
//! catalogue is on the whole: that is the same for every model, and small where no document stands out.
//! BM25 has no bound: a long query that copies the words of a document gathers much more of it than
//! meaning can outweigh, and so is decided by words, while a loose one is decided by meaning. Where the
//! best document holds nearly all that the catalogue knows of the query's words, words count much more; where it
//! holds a part of them, which in a large catalogue some document always does, they hardly count more at all.

/// What one unit of BM25 is worth, if no document holds the query's words.
const LEAST: f32 = 0.02;
/// How much more if one does.
const GAIN: f32 = 8.0;
/// BM25 beyond this share of the words' weight says that they stand in a name, or often; enough is enough.
const FULL: f32 = 1.2;

/// What a unit of BM25 is worth. `best` is the BM25 of the best document, `known` the summed rarity of those
/// words of the query that any document has.
pub(crate) fn worth_of_words(best: f32, known: f32) -> f32 {
    if known <= 0.0 {
        return LEAST;
    }
    let held = (best / known).min(FULL);
    LEAST * (1.0 + GAIN * held.powi(3))
}

/// What being nearer by one deviation is worth.
const DEVIATION: f32 = 0.14;
/// So many deviations are noise.
const NOISE: f32 = 0.5;
/// Cosines that differ less do not differ.
const LEAST_DEVIATION: f32 = 0.02;

/// Documents are not nearer to a query on the whole, by models whose cosines say by themselves how alike two
/// texts are: 0.06 to 0.2 in public catalogues with the static one.
const USUAL_MEAN: f32 = 0.3;

/// How near a catalogue is to a query on the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearness {
    /// From where on a cosine is more than noise.
    noise: f32,
    /// What it is worth for each unit beyond.
    slope: f32,
    mean: f32,
}

impl Nearness {
    /// Of the cosines of all documents. In whole numbers, so that their order does not matter.
    pub(crate) fn of(cosines: impl Iterator<Item = f32>) -> Self {
        const ONE: f64 = 65_536.0;
        let (mut count, mut sum, mut squares) = (0_i64, 0_i64, 0_i64);
        for cosine in cosines {
            let whole = (cosine * ONE as f32) as i64;
            count += 1;
            sum += whole;
            squares += whole * whole;
        }
        let count = count.max(1) as f64;
        let mean = sum as f64 / count;
        let variance = (squares as f64 / count - mean * mean).max(0.0);
        let deviation = ((variance.sqrt() / ONE) as f32).max(LEAST_DEVIATION);
        Self {
            noise: (mean / ONE) as f32 + NOISE * deviation,
            slope: DEVIATION / deviation,
            mean: (mean / ONE) as f32,
        }
    }

    /// A cosine without what all documents have in common with the query: to some models everything is alike.
    pub(crate) fn of_its_own(self, cosine: f32) -> f32 {
        let common = ((self.mean - USUAL_MEAN) / (1.0 - USUAL_MEAN)).clamp(0.0, 0.99);
        (cosine - common) / (1.0 - common)
    }

    /// What a document's cosine is worth.
    pub(crate) fn worth(self, cosine: f32) -> f32 {
        self.slope * (cosine - self.noise).max(0.0)
    }
}

/// How near a document is, by the query's parts: as a whole, and by the part that is nearest, because one
/// intent may ask for several things.
pub(crate) fn cosine(whole: f32, parts: impl Iterator<Item = f32>) -> f32 {
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
        assert!((cosine(0.2, [0.1, 0.6].into_iter()) - 0.4).abs() < 1e-6);
        assert!((cosine(0.2, [].into_iter()) - 0.2).abs() < 1e-6);
    }

    #[test]
    fn what_does_not_stand_out_is_worth_nothing() {
        let all = Nearness::of([0.1, 0.2, 0.3, 0.2].into_iter());
        assert!(all.worth(0.2) == 0.0 && all.worth(0.3) > 0.0);
        let same = Nearness::of([0.7; 9].into_iter());
        assert!(same.worth(0.7) == 0.0);
        assert!(Nearness::of([].into_iter()).worth(0.0) == 0.0);
    }

    #[test]
    fn what_all_have_in_common_says_nothing() {
        let alike = Nearness::of([0.7, 0.72, 0.74, 0.76].into_iter());
        assert!(alike.of_its_own(0.76) < 0.4);
        assert!(alike.of_its_own(0.95) > 0.8);
        let apart = Nearness::of([0.1, 0.15, 0.05, 0.76].into_iter());
        assert!(apart.of_its_own(0.76) == 0.76);
        assert!(Nearness::of([1.0].into_iter()).of_its_own(1.0) <= 1.0);
    }

    #[test]
    fn the_scale_of_a_model_does_not_matter() {
        let wide = Nearness::of([0.0, 0.1, 0.2, 0.8].into_iter());
        let narrow = Nearness::of([0.7, 0.725, 0.75, 0.9].into_iter());
        assert!((wide.worth(0.8) - narrow.worth(0.9)).abs() < 0.001);
    }
}
