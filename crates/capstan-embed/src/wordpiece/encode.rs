//! Turns texts into ids of word pieces.

use std::borrow::Cow;

use super::Vocabulary;
use super::normalize::normalize;
use super::split::words;

/// The longest word, in characters. Longer words are unknown.
const MAX_WORD_CHARS: usize = 100;

#[derive(Clone, Debug)]
pub(crate) struct WordPiece {
    vocabulary: Vocabulary,
    /// The id for a word that cannot be made from pieces.
    unknown: u32,
    /// The ids of pieces that are recognized anywhere in a text, such as `[SEP]`.
    specials: Cow<'static, [u32]>,
    /// Whether a special piece begins with a byte, by byte.
    first_bytes: [bool; 256],
}

impl WordPiece {
    pub(crate) fn new(
        vocabulary: Vocabulary,
        unknown: u32,
        specials: impl Into<Cow<'static, [u32]>>,
    ) -> Self {
        let specials = specials.into();
        let mut first_bytes = [false; 256];
        for id in specials.iter() {
            if let Some(first) = vocabulary.word(*id).first() {
                first_bytes[usize::from(*first)] = true;
            }
        }
        Self {
            vocabulary,
            unknown,
            specials,
            first_bytes,
        }
    }

    /// Returns the first `most` word pieces of a text. The rest of the text is ignored.
    pub(crate) fn encode(&self, text: &str, most: usize) -> Vec<u32> {
        let mut ids = Vec::with_capacity(most.min(text.len() / 3 + 4));
        let mut normalized = String::new();
        let mut rest = text;
        while ids.len() < most && !rest.is_empty() {
            let (plain, special) = self.until_special(rest);
            normalized.clear();
            normalize(plain, &mut normalized);
            for word in words(&normalized) {
                if ids.len() >= most {
                    break;
                }
                self.pieces(word, &mut ids);
            }
            rest = &rest[plain.len()..];
            if let Some((id, length)) = special {
                ids.push(id);
                rest = &rest[length..];
            }
        }
        ids.truncate(most);
        ids
    }

    /// Returns the text before the first special piece, and that piece; the longest, if several
    /// begin there.
    fn until_special<'a>(&self, text: &'a str) -> (&'a str, Option<(u32, usize)>) {
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            if !self.first_bytes[usize::from(*byte)] {
                continue;
            }
            let found = self.specials.iter().filter_map(|id| {
                let word = self.vocabulary.word(*id);
                bytes[at..].starts_with(word).then_some((*id, word.len()))
            });
            if let Some(special) = found.max_by_key(|(_, length)| *length) {
                return (&text[..at], Some(special));
            }
        }
        (text, None)
    }

    fn pieces(&self, word: &str, ids: &mut Vec<u32>) {
        let before = ids.len();
        let mut at = 0;
        if word.len() > MAX_WORD_CHARS && word.chars().count() > MAX_WORD_CHARS {
            ids.push(self.unknown);
            return;
        }
        while at < word.len() {
            let found = self
                .vocabulary
                .longest_match(&word.as_bytes()[at..], at > 0);
            let Some((id, length)) = found else {
                ids.truncate(before);
                ids.push(self.unknown);
                return;
            };
            ids.push(id);
            at += length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::pack::pack;
    use super::*;

    fn check(text: &str, expected: &[u32]) {
        let words = [
            "[UNK]", "[SEP]", "un", "##aff", "##able", "a", "##a", "[", "]", "sep",
        ];
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let pieces = WordPiece::new(Vocabulary::new(pack(&words)), 0, vec![1]);
        assert_eq!(pieces.encode(text, 8), expected, "{text:?}");
    }

    #[test]
    fn words_are_cut_into_their_longest_pieces() {
        check("Unaffable un", &[2, 3, 4, 2]);
        check("unaffected a", &[0, 5]);
        check("", &[]);
    }

    #[test]
    fn special_pieces_are_seen_as_they_are_written() {
        check("un[SEP]a", &[2, 1, 5]);
        check("[sep]", &[7, 9, 8]);
        check("[SEP", &[7, 9]);
    }

    #[test]
    fn long_words_are_unknown_and_long_texts_are_cut() {
        check(&"a".repeat(100), &[5, 6, 6, 6, 6, 6, 6, 6]);
        check(&"a".repeat(101), &[0]);
        check(&"a ".repeat(100), &[5; 8]);
        check(&"[SEP]".repeat(100), &[1; 8]);
    }
}
