//! Combines words and meaning into one score.
//!
//! A document's score is a sum of four signals with fixed weights. Each signal is relative to what
//! the catalogue and the query make possible, so the weights hold for small and large catalogues,
//! for short and long queries, and for any model. The weights are fitted, not chosen: see
//! [`WEIGHTS`].

/// The evidence for and against a document if words and meaning count together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// The document's BM25 in units of the largest rarity that a word can have in the catalogue:
    /// about how many of the query's rare words the document has.
    pub rare_words: f32,
    /// The document's BM25 divided by the summed rarity of the query's words: the share of the
    /// query that the document covers. It is more than 1 if several fields of the document cover
    /// it.
    pub query_share: f32,
    /// How much nearer the document is than the average of the catalogue: 0 up to half a standard
    /// deviation, and about 1 for the nearest of as many documents if they were near only by
    /// chance.
    pub nearness: f32,
    /// The square root of the rarity of the words in the document's name that the query lacks, in
    /// units of the largest rarity. From 0 to the square root of [`MAX_UNSAID`].
    pub unsaid_name: f32,
}

/// The weight of each signal, in their order. They maximize the probability (softmax) of the
/// relevant documents on the tuning half of the public queries, where each source and pool counts
/// the same: `cargo run --release -p capstan-bench --example weights -- FOLDER`.
const WEIGHTS: [f32; 4] = [1.63, 2.55, 2.82, -1.47];

/// The largest penalty for a name. Names may contain numbers or be generated, so longer names are
/// not penalized more.
const MAX_UNSAID: f32 = 2.0;

impl Signals {
    pub fn to_array(self) -> [f32; 4] {
        let Self {
            rare_words,
            query_share,
            nearness,
            unsaid_name,
        } = self;
        [rare_words, query_share, nearness, unsaid_name]
    }

    /// Returns the score by which documents are ranked.
    pub(crate) fn score(self) -> f32 {
        let weighted = self.to_array().into_iter().zip(WEIGHTS);
        weighted.map(|(signal, weight)| signal * weight).sum()
    }
}

/// The units of the signals for one query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    /// About the largest rarity that a word can have.
    rarity: f32,
    /// By how many standard deviations the nearest of as many documents is nearer by chance.
    deviations: f32,
    /// The summed rarity of the query's words that any document has.
    known: f32,
}

impl Scale {
    pub(crate) fn new(documents: usize, known: f32) -> Self {
        let rarity = (documents.max(1) as f32).ln().max(1.0);
        Self {
            rarity,
            deviations: (2.0 * rarity).sqrt(),
            known,
        }
    }

    /// Returns the signals of a document, given its BM25, its nearness in standard deviations, and
    /// the summed rarity of the words in its name that the query lacks.
    pub(crate) fn signals(self, words: f32, deviations: f32, unsaid: f32) -> Signals {
        let share = if self.known > 0.0 {
            words / self.known
        } else {
            0.0
        };
        Signals {
            rare_words: words / self.rarity,
            query_share: share,
            nearness: deviations / self.deviations,
            unsaid_name: (unsaid / self.rarity).clamp(0.0, MAX_UNSAID).sqrt(),
        }
    }
}

/// Deviations up to this are noise.
const NOISE: f32 = 0.5;
/// The smallest standard deviation: cosines that differ less count as equal.
const MIN_DEVIATION: f32 = 0.02;

/// The largest usual mean cosine of a catalogue, for models whose cosines directly show how similar
/// two texts are. With the static model it is 0.06 to 0.2 in public catalogues.
const USUAL_MEAN: f32 = 0.3;

/// How near a catalogue as a whole is to a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearness {
    mean: f32,
    deviation: f32,
}

impl Nearness {
    /// Computes the mean and the deviation of the cosines of all documents. It uses integers, so
    /// that their order does not matter.
    pub(crate) fn from_cosines(cosines: impl Iterator<Item = f32>) -> Self {
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
        Self {
            mean: (mean / ONE) as f32,
            deviation: ((variance.sqrt() / ONE) as f32).max(MIN_DEVIATION),
        }
    }

    /// Returns a cosine without the part that all documents share. For some models all texts are
    /// similar.
    pub(crate) fn without_common(self, cosine: f32) -> f32 {
        let common = ((self.mean - USUAL_MEAN) / (1.0 - USUAL_MEAN)).clamp(0.0, 0.99);
        (cosine - common) / (1.0 - common)
    }

    /// Returns by how many standard deviations a cosine exceeds the noise.
    pub(crate) fn deviations(self, cosine: f32) -> f32 {
        ((cosine - self.mean) / self.deviation - NOISE).max(0.0)
    }
}

/// Returns the mean of the cosine of the whole query and that of the nearest part, because one
/// query may ask for several things.
pub(crate) fn cosine(whole: f32, parts: impl Iterator<Item = f32>) -> f32 {
    f32::midpoint(whole, parts.fold(whole, f32::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_signal_counts() {
        let scale = Scale::new(1000, 10.0);
        let score = |words, deviations, unsaid| scale.signals(words, deviations, unsaid).score();
        assert!(score(5.0, 1.0, 0.0) > score(4.0, 1.0, 0.0));
        assert!(score(5.0, 2.0, 0.0) > score(5.0, 1.0, 0.0));
        assert!(score(5.0, 1.0, 1.0) < score(5.0, 1.0, 0.0));
        assert!(score(5.0, 1.0, 100.0) == score(5.0, 1.0, 1000.0));
    }

    #[test]
    fn a_short_query_that_is_held_counts_more() {
        let share = |known| Scale::new(1000, known).signals(5.0, 0.0, 0.0).query_share;
        assert!(share(5.0) > share(20.0) && share(0.0) == 0.0);
    }

    #[test]
    fn the_same_counts_less_where_chance_finds_more() {
        let of = |documents| Scale::new(documents, 5.0).signals(5.0, 3.0, 0.0);
        let (few, many) = (of(50), of(50_000));
        assert!(few.rare_words > many.rare_words && few.nearness > many.nearness);
        assert!([0, 1, 2].map(of).iter().all(|it| it.score().is_finite()));
    }

    #[test]
    fn the_nearest_part_counts_half() {
        assert!((cosine(0.2, [0.1, 0.6].into_iter()) - 0.4).abs() < 1e-6);
        assert!((cosine(0.2, [].into_iter()) - 0.2).abs() < 1e-6);
    }

    #[test]
    fn what_does_not_stand_out_is_not_near() {
        let all = Nearness::from_cosines([0.1, 0.2, 0.3, 0.2].into_iter());
        assert!(all.deviations(0.2) == 0.0 && all.deviations(0.3) > 0.0);
        let same = Nearness::from_cosines([0.7; 9].into_iter());
        assert!(same.deviations(0.7) == 0.0);
        assert!(Nearness::from_cosines([].into_iter()).deviations(0.0) == 0.0);
    }

    #[test]
    fn what_all_have_in_common_says_nothing() {
        let alike = Nearness::from_cosines([0.7, 0.72, 0.74, 0.76].into_iter());
        assert!(alike.without_common(0.76) < 0.4);
        assert!(alike.without_common(0.95) > 0.8);
        let apart = Nearness::from_cosines([0.1, 0.15, 0.05, 0.76].into_iter());
        assert!(apart.without_common(0.76) == 0.76);
        assert!(Nearness::from_cosines([1.0].into_iter()).without_common(1.0) <= 1.0);
    }

    #[test]
    fn the_scale_of_a_model_does_not_matter() {
        let wide = Nearness::from_cosines([0.0, 0.1, 0.2, 0.8].into_iter());
        let narrow = Nearness::from_cosines([0.7, 0.725, 0.75, 0.9].into_iter());
        assert!((wide.deviations(0.8) - narrow.deviations(0.9)).abs() < 0.01);
    }
}
