//! Words that are a typing error away: letters left out, put in, changed, or two in the wrong order.

/// Which letters a word has, and how many: enough to see that two words are not near.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Letters {
    set: u32,
    length: u8,
}

impl Letters {
    pub(crate) fn of(word: &str) -> Self {
        let mut letters = Self::default();
        for c in word.chars() {
            letters.set |= 1 << (c as u32 % 32);
            letters.length = letters.length.saturating_add(1);
        }
        letters
    }
}

/// A word, and how far from it others may be.
#[derive(Debug)]
pub(crate) struct Near {
    word: Vec<char>,
    letters: Letters,
    most: usize,
}

impl Near {
    pub(crate) fn new(word: &str, most: usize) -> Self {
        Self {
            word: word.chars().collect(),
            letters: Letters::of(word),
            most,
        }
    }

    /// False if a word with these letters is surely too far.
    pub(crate) fn may_be(&self, other: Letters) -> bool {
        let lengths = self.letters.length.abs_diff(other.length);
        // An error changes at most two letters of the set.
        let differing = (self.letters.set ^ other.set).count_ones();
        usize::from(lengths) <= self.most && differing as usize <= 2 * self.most
    }

    pub(crate) fn distance(&self, other: &str) -> Option<usize> {
        let other: Vec<char> = other.chars().collect();
        Some(distance(&self.word, &other)).filter(|&it| it <= self.most)
    }
}

/// How many typing errors make one of the other (optimal string alignment).
pub(crate) fn distance(one: &[char], two: &[char]) -> usize {
    let width = two.len() + 1;
    let mut before = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    let mut row = vec![0; width];
    for (i, a) in one.iter().enumerate() {
        row[0] = i + 1;
        for (j, b) in two.iter().enumerate() {
            let changed = last[j] + usize::from(a != b);
            let mut least = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == two[j - 1] && one[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            row[j + 1] = least;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, two: &str, expected: usize) {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars(one), &chars(two)), expected, "{one} {two}");
        assert_eq!(distance(&chars(two), &chars(one)), expected, "{two} {one}");
        let near = Near::new(one, expected);
        assert!(near.may_be(Letters::of(two)), "{one} {two}");
        assert_eq!(near.distance(two), Some(expected));
    }

    #[test]
    fn each_error_counts_once() {
        check("label", "label", 0);
        check("lable", "label", 1);
        check("labl", "label", 1);
        check("labbel", "label", 1);
        check("lobel", "label", 1);
        check("milsetoen", "milestone", 2);
        check("", "ab", 2);
    }
}
