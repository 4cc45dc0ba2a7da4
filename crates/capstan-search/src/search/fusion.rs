//! How words and meaning are weighed together.
//!
//! A document's score is a sum of four signals with fixed weights. Each signal is measured against what the catalogue
//! and the query make possible, so that the weights hold for small and large catalogues, for short and long queries,
//! and for any model. The weights are fitted, not chosen: see [`WEIGHTS`].

/// What speaks for a document, and what against it, when words and meaning count together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// The document's BM25 in units of the largest rarity that a word can have in the catalogue: about how many of
    /// the query's rare words the document has.
    pub rare_words: f32,
    /// The document's BM25 divided by the summed rarity of the query's words: which share of what the query says the
    /// document says too. More than 1 if the document says it in several places.
    pub query_share: f32,
    /// How much nearer the document's meaning is than the catalogue's on the whole: 0 up to half a standard deviation,
    /// and about 1 for the nearest of as many documents if they were near by chance only.
    pub nearness: f32,
    /// The square root of the rarity of what the document's name says and the query does not, in units of the largest
    /// rarity. From 0 to the square root of [`MOST_UNSAID`].
    pub unsaid_name: f32,
}

/// One for each signal, in their order. They maximise the probability (softmax) of the relevant documents on the tuning
/// half of the public queries, where each source and pool counts the same:
/// `cargo run --release -p capstan-bench --example weights -- FOLDER`.
const WEIGHTS: [f32; 4] = [1.63, 2.55, 2.82, -1.47];

/// Longer names do not count more against a document: names may hold numbers or be made by machines.
const MOST_UNSAID: f32 = 2.0;

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

    /// What documents are ranked by.
    pub(crate) fn score(self) -> f32 {
        let weighted = self.to_array().into_iter().zip(WEIGHTS);
        weighted.map(|(signal, weight)| signal * weight).sum()
    }
}

/// What the signals of a query's documents are measured against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    /// About the largest rarity that a word can have.
    rarity: f32,
    /// By how many standard deviations the nearest of as many documents is nearer by chance.
    deviations: f32,
    /// The summed rarity of those words of the query that any document has.
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

    /// The signals of a document by its BM25, its nearness in standard deviations, and the summed rarity of what its
    /// name says and the query does not.
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
            unsaid_name: (unsaid / self.rarity).clamp(0.0, MOST_UNSAID).sqrt(),
        }
    }
}

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
    mean: f32,
    deviation: f32,
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
        Self {
            mean: (mean / ONE) as f32,
            deviation: ((variance.sqrt() / ONE) as f32).max(LEAST_DEVIATION),
        }
    }

    /// A cosine without what all documents have in common with the query: to some models everything is alike.
    pub(crate) fn of_its_own(self, cosine: f32) -> f32 {
        let common = ((self.mean - USUAL_MEAN) / (1.0 - USUAL_MEAN)).clamp(0.0, 0.99);
        (cosine - common) / (1.0 - common)
    }

    /// By how many standard deviations a cosine is more than noise.
    pub(crate) fn deviations(self, cosine: f32) -> f32 {
        ((cosine - self.mean) / self.deviation - NOISE).max(0.0)
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
        let all = Nearness::of([0.1, 0.2, 0.3, 0.2].into_iter());
        assert!(all.deviations(0.2) == 0.0 && all.deviations(0.3) > 0.0);
        let same = Nearness::of([0.7; 9].into_iter());
        assert!(same.deviations(0.7) == 0.0);
        assert!(Nearness::of([].into_iter()).deviations(0.0) == 0.0);
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
        assert!((wide.deviations(0.8) - narrow.deviations(0.9)).abs() < 0.01);
    }
}
