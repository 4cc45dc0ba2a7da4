//! A model with one vector for each word piece. The vector of a text is their mean.

use super::data;
use crate::vector::normalize;
use crate::wordpiece::{Vocabulary, WordPiece};

/// How many word pieces of a text are used.
const MAX_PIECES: usize = 512;

/// The model that is compiled in. It costs nothing to create and microseconds to use.
#[derive(Clone, Debug)]
pub struct StaticModel {
    pieces: WordPiece,
}

impl StaticModel {
    pub const DIMENSION: usize = data::DIMENSION;

    pub fn built_in() -> Self {
        let vocabulary = Vocabulary::new(data::VOCABULARY);
        Self {
            pieces: WordPiece::new(vocabulary, data::UNKNOWN, data::SPECIALS),
        }
    }

    /// Returns the name, which changes with the model.
    pub fn name(&self) -> &'static str {
        data::NAME
    }

    /// Returns a vector of length 1, or zeros if no part of the text is known.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        let mut sum = [0.0; Self::DIMENSION];
        let mut pieces = 0_u16;
        for id in self.ids(text) {
            if id == data::UNKNOWN {
                continue;
            }
            let (row, scale) = data::row(id);
            for (sum, number) in sum.iter_mut().zip(row) {
                *sum += f32::from(number.cast_signed()) * scale;
            }
            pieces += 1;
        }
        for sum in &mut sum {
            *sum /= f32::from(pieces.max(1));
        }
        normalize(&mut sum);
        sum.to_vec()
    }

    /// Returns the ids of the word pieces that are used.
    pub fn ids(&self, text: &str) -> Vec<u32> {
        let end = text.char_indices().nth(MAX_PIECES * data::MEDIAN_LENGTH);
        let text = &text[..end.map_or(text.len(), |(at, _)| at)];
        self.pieces.encode(text, MAX_PIECES)
    }
}
