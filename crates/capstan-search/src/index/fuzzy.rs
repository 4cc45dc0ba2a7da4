//! Words within a few typing errors: a letter left out, inserted, changed, or swapped with the
//! next.

/// A summary of a word. It is enough to rule out that two words are close, or that one begins with
/// the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Letters {
    /// The letters that occur at least once, as bits.
    once: u32,
    /// The letters that occur at least twice, as bits.
    twice: u32,
    length: u8,
    first: [u8; 2],
}

impl Letters {
    pub(crate) fn from_word(word: &str) -> Self {
        let mut letters = Self::default();
        for (first, byte) in letters.first.iter_mut().zip(word.bytes()) {
            *first = byte;
        }
        for c in word.chars() {
            let letter = 1 << (c as u32 % 32);
            letters.twice |= letters.once & letter;
            letters.once |= letter;
            letters.length = letters.length.saturating_add(1);
        }
        letters
    }

    /// Returns false if a word with these letters certainly does not begin with one that has the
    /// other letters.
    pub(crate) fn may_begin_with(self, other: Self) -> bool {
        self.first == other.first && self.length >= other.length
    }
}

/// A word, and the largest number of errors to accept.
#[derive(Debug)]
pub(crate) struct FuzzyWord {
    /// The positions of each ASCII letter, as bits; other characters are in `others`.
    places: Box<[u64; 128]>,
    others: Vec<(char, u64)>,
    length: usize,
    letters: Letters,
    most: usize,
}

/// The longest word that is compared, in characters.
const MAX_CHARS: usize = 64;

impl FuzzyWord {
    pub(crate) fn new(word: &str, most: usize) -> Self {
        let mut near = Self {
            places: Box::new([0; 128]),
            others: Vec::new(),
            length: word.chars().count(),
            letters: Letters::from_word(word),
            most,
        };
        for (place, c) in word.chars().take(MAX_CHARS).enumerate() {
            let bit = 1 << place;
            match near.places.get_mut(c as usize) {
                Some(places) => *places |= bit,
                None => match near.others.iter_mut().find(|(other, _)| *other == c) {
                    Some((_, places)) => *places |= bit,
                    None => near.others.push((c, bit)),
                },
            }
        }
        near
    }

    /// Returns false if a word with these letters certainly has too many errors. More than one
    /// error is allowed only if the first letter is right: it usually is, and few words remain to
    /// compare.
    pub(crate) fn may_be(&self, other: Letters) -> bool {
        let own = self.letters;
        let most = if own.first[0] == other.first[0] {
            self.most
        } else {
            self.most.min(1)
        };
        let lengths = usize::from(own.length.abs_diff(other.length));
        // An error removes at most one letter and adds at most one.
        let differing =
            (own.once ^ other.once).count_ones() + (own.twice ^ other.twice).count_ones();
        lengths <= most && differing as usize <= 2 * most
    }

    /// Returns the number of errors between the words (optimal string alignment); `None` if there
    /// are too many. It compares all positions of the word with a letter at once, after Hyyrö.
    pub(crate) fn distance(&self, other: &str) -> Option<usize> {
        if self.length == 0 || self.length > MAX_CHARS {
            return None;
        }
        let last = 1_u64 << (self.length - 1);
        let (mut rising, mut falling) = (u64::MAX, 0_u64);
        let (mut same, mut before) = (0_u64, 0_u64);
        let mut distance = self.length;
        for c in other.chars() {
            let here = self.places_of(c);
            let swapped = ((!same & here) << 1) & before;
            same = ((here & rising).wrapping_add(rising) ^ rising) | here | falling | swapped;
            let up = falling | !(same | rising);
            let down = same & rising;
            distance += usize::from(up & last != 0);
            distance -= usize::from(down & last != 0);
            let up = (up << 1) | 1;
            rising = (down << 1) | !(same | up);
            falling = up & same;
            before = here;
        }
        Some(distance).filter(|distance| *distance <= self.most)
    }

    fn places_of(&self, c: char) -> u64 {
        match self.places.get(c as usize) {
            Some(places) => *places,
            None => {
                let places = self.others.iter().find(|(other, _)| *other == c);
                places.map_or(0, |(_, places)| *places)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Computes the distance letter by letter, as it is defined.
    fn plain(one: &str, two: &str) -> usize {
        let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
        let mut rows = vec![vec![0; two.len() + 1]; one.len() + 1];
        for i in 0..=one.len() {
            for j in 0..=two.len() {
                if i == 0 || j == 0 {
                    rows[i][j] = i + j;
                    continue;
                }
                let changed = rows[i - 1][j - 1] + usize::from(one[i - 1] != two[j - 1]);
                let mut least = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                let is_swapped =
                    i > 1 && j > 1 && one[i - 1] == two[j - 2] && one[i - 2] == two[j - 1];
                if is_swapped {
                    least = least.min(rows[i - 2][j - 2] + 1);
                }
                rows[i][j] = least;
            }
        }
        rows[one.len()][two.len()]
    }

    fn check(one: &str, two: &str, expected: usize) {
        for (one, two) in [(one, two), (two, one)] {
            let near = FuzzyWord::new(one, expected);
            assert_eq!(near.distance(two), Some(expected), "{one} {two}");
            assert!(near.may_be(Letters::from_word(two)), "{one} {two}");
        }
    }

    #[test]
    fn each_error_counts_once() {
        check("label", "label", 0);
        check("lable", "label", 1);
        check("labl", "label", 1);
        check("labbel", "label", 1);
        check("lobel", "label", 1);
        check("abel", "label", 1);
        check("milsetoen", "milestone", 2);
        check("größe", "größte", 1);
        assert_eq!(FuzzyWord::new("pen", 1).distance("paper"), None);
    }

    proptest! {
        #[test]
        fn as_defined(one in "[abcä]{1,9}", two in "[abcä]{0,9}") {
            let distance = plain(&one, &two);
            prop_assert_eq!(FuzzyWord::new(&one, 99).distance(&two), Some(distance));
            let near = FuzzyWord::new(&one, distance);
            let same_first = one.as_bytes().first() == two.as_bytes().first();
            prop_assert!(!same_first && distance > 1 || near.may_be(Letters::from_word(&two)));
        }
    }
}
