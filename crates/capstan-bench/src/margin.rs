//! The advantage of the hybrid method over the better single method, with its confidence interval.

use capstan_search::Method;

use crate::figures::{QueryRanks, mean};

/// The recall@5 of the hybrid method minus that of the better single method, for the same queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// The single method with the higher recall@5; words if both are equal.
    pub better: Method,
    /// The mean difference, from -1 to 1.
    pub difference: f64,
    /// Half the width of the paired 95 % interval around the difference; 0 for fewer than two queries.
    pub interval: f64,
}

/// The number of standard errors from the mean to the end of a 95 % interval.
const STANDARD_ERRORS: f64 = 1.96;

/// Smaller differences of means are rounding errors.
const ROUNDING: f64 = 1e-9;

impl Margin {
    /// Compares the results of the three methods for the same queries, in the same order.
    pub(crate) fn from_answers(
        words: &[&QueryRanks],
        meaning: &[&QueryRanks],
        hybrid: &[&QueryRanks],
    ) -> Self {
        let recalls = |answers: &[&QueryRanks]| -> Vec<f64> {
            answers.iter().map(|it| it.recall(5)).collect()
        };
        let (words, meaning, hybrid) = (recalls(words), recalls(meaning), recalls(hybrid));
        let (better, single) = if mean(&meaning) > mean(&words) + ROUNDING {
            (Method::Meaning, meaning)
        } else {
            (Method::Words, words)
        };
        let differences: Vec<f64> = hybrid.iter().zip(&single).map(|(a, b)| a - b).collect();
        let difference = mean(&differences);
        let squares: f64 = differences.iter().map(|it| (it - difference).powi(2)).sum();
        let count = differences.len();
        let interval = if count < 2 {
            0.0
        } else {
            STANDARD_ERRORS * (squares / (count - 1) as f64 / count as f64).sqrt()
        };
        Self {
            better,
            difference,
            interval,
        }
    }

    /// Returns whether the hybrid method found less than the better single method.
    pub fn is_below(&self) -> bool {
        self.difference < -ROUNDING
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Mode;

    fn answers(found: &[bool]) -> Vec<QueryRanks> {
        let one = |found: &bool| QueryRanks {
            places: found.then_some(0).into_iter().collect(),
            relevant: 1,
            mode: Mode::Any,
        };
        found.iter().map(one).collect()
    }

    fn margin(words: &[bool], meaning: &[bool], hybrid: &[bool]) -> Margin {
        let [words, meaning, hybrid] = [words, meaning, hybrid].map(answers);
        Margin::from_answers(
            &words.iter().collect::<Vec<_>>(),
            &meaning.iter().collect::<Vec<_>>(),
            &hybrid.iter().collect::<Vec<_>>(),
        )
    }

    #[test]
    fn the_better_single_method_is_compared_with() {
        let (yes, no) = (true, false);
        let above = margin(
            &[yes, no, no, no],
            &[yes, yes, no, no],
            &[yes, yes, yes, no],
        );
        assert_eq!(above.better, Method::Meaning);
        assert!((above.difference - 0.25).abs() < 1e-9 && !above.is_below());
        // The differences are 0, 0, 1, 0: their standard error is 0.25.
        assert!((above.interval - 0.49).abs() < 1e-9);
        let below = margin(&[yes, yes], &[no, no], &[yes, no]);
        assert_eq!(below.better, Method::Words);
        assert!((below.difference + 0.5).abs() < 1e-9 && below.is_below());
    }

    #[test]
    fn the_same_answers_differ_by_nothing() {
        let same = margin(&[true, false], &[true, false], &[true, false]);
        assert_eq!(same.better, Method::Words);
        assert!(same.difference == 0.0 && same.interval == 0.0 && !same.is_below());
        let none = margin(&[], &[], &[]);
        assert!(none.difference == 0.0 && none.interval == 0.0);
        assert!(margin(&[true], &[false], &[false]).interval == 0.0);
    }
}
