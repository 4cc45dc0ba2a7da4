//! Recall and mean reciprocal rank of search results.

use crate::corpus::Mode;

/// Means over queries, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    pub queries: usize,
    pub recall_1: f64,
    pub recall_5: f64,
    pub recall_10: f64,
    /// The mean of one divided by the rank of the first relevant document; 0 for ranks beyond the tenth.
    pub mrr: f64,
}

/// The number of results to look at.
pub(crate) const PLACES: usize = 10;

/// The positions of the relevant documents in the results of a query, from 0, and the number of relevant documents.
#[derive(Clone, Debug)]
pub(crate) struct QueryRanks {
    pub(crate) places: Vec<usize>,
    pub(crate) relevant: usize,
    pub(crate) mode: Mode,
}

impl QueryRanks {
    pub(crate) fn recall(&self, within: usize) -> f64 {
        let found = self.places.iter().filter(|place| **place < within).count();
        match self.mode {
            Mode::Any => f64::from(u8::from(found > 0)),
            Mode::All => found as f64 / self.relevant.max(1) as f64,
        }
    }

    fn reciprocal(&self) -> f64 {
        let first = self.places.iter().min();
        first.map_or(0.0, |place| 1.0 / (place + 1) as f64)
    }
}

/// Returns the arithmetic mean; 0 if there are no numbers.
pub(crate) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

impl Figures {
    pub(crate) fn of<'a>(answers: impl Iterator<Item = &'a QueryRanks>) -> Self {
        let mut sum = Self::default();
        for answer in answers {
            sum.queries += 1;
            sum.recall_1 += answer.recall(1);
            sum.recall_5 += answer.recall(5);
            sum.recall_10 += answer.recall(PLACES);
            sum.mrr += answer.reciprocal();
        }
        let count = sum.queries.max(1) as f64;
        Self {
            queries: sum.queries,
            recall_1: sum.recall_1 / count,
            recall_5: sum.recall_5 / count,
            recall_10: sum.recall_10 / count,
            mrr: sum.mrr / count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(places: &[usize], relevant: usize, mode: Mode) -> QueryRanks {
        QueryRanks {
            places: places.to_vec(),
            relevant,
            mode,
        }
    }

    #[test]
    fn any_is_found_or_not_and_all_are_shares() {
        let any = [answer(&[4], 3, Mode::Any), answer(&[], 1, Mode::Any)];
        let figures = Figures::of(any.iter());
        assert_eq!(figures.queries, 2);
        assert_eq!((figures.recall_1, figures.recall_5), (0.0, 0.5));
        assert!((figures.mrr - 0.1).abs() < 1e-9);
        let all = [answer(&[0, 7], 4, Mode::All)];
        let figures = Figures::of(all.iter());
        assert_eq!((figures.recall_1, figures.recall_5), (0.25, 0.25));
        assert_eq!((figures.recall_10, figures.mrr), (0.5, 1.0));
    }
}
