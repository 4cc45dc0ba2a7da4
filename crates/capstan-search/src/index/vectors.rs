//! The vectors of all documents, stored one after the other, and the vectors of intents.

use std::collections::HashMap;

use crate::VectorError;
use crate::vector::{Direction, Quantized};

/// The quantized vectors of all documents.
#[derive(Clone, Debug)]
pub(crate) struct Vectors {
    dimension: usize,
    bytes: Vec<i8>,
    scales: Vec<f32>,
    /// The vectors of each intent, for documents that have intents.
    intents: HashMap<u32, Box<[Quantized]>>,
}

/// The weight of the whole document if it has intents. The nearest intent has the rest: one intent
/// may be near by chance.
const WHOLE_WEIGHT: f32 = 0.25;

impl Vectors {
    pub(crate) fn new(dimension: usize) -> Self {
        Self {
            dimension,
            bytes: Vec::new(),
            scales: Vec::new(),
            intents: HashMap::new(),
        }
    }

    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    pub(crate) fn check(&self, vector: &[f32]) -> Result<(), VectorError> {
        let (wanted, given) = (self.dimension, vector.len());
        if wanted == given {
            Ok(())
        } else {
            Err(VectorError { wanted, given })
        }
    }

    /// Sets the vectors of a document: the whole document first, then its intents. A document
    /// without vectors is near to nothing.
    pub(crate) fn set(&mut self, document: u32, vectors: Vec<Quantized>) {
        let at = document as usize;
        if self.scales.len() <= at {
            self.scales.resize(at + 1, 0.0);
            self.bytes.resize((at + 1) * self.dimension, 0);
        }
        let place = &mut self.bytes[at * self.dimension..(at + 1) * self.dimension];
        let mut vectors = vectors.into_iter();
        match vectors.next() {
            Some(whole) if whole.bytes.len() == place.len() => {
                place.copy_from_slice(&whole.bytes);
                self.scales[at] = whole.scale;
            }
            _ => {
                place.fill(0);
                self.scales[at] = 0.0;
            }
        }
        let intents: Box<[_]> = vectors.collect();
        if intents.is_empty() {
            self.intents.remove(&document);
        } else {
            self.intents.insert(document, intents);
        }
    }

    /// Returns the vector of the whole document and its scale.
    pub(crate) fn get(&self, document: u32) -> (&[i8], f32) {
        let at = document as usize;
        let bytes = &self.bytes[at * self.dimension..(at + 1) * self.dimension];
        (bytes, self.scales[at])
    }

    pub(crate) fn intents(&self, document: u32) -> &[Quantized] {
        self.intents.get(&document).map_or(&[], |all| all)
    }

    /// Returns the cosine of each document.
    pub(crate) fn cosines(&self, to: &Direction) -> Vec<f32> {
        if self.dimension == 0 {
            return vec![0.0; self.scales.len()];
        }
        let all = self.bytes.chunks_exact(self.dimension).zip(&self.scales);
        let mut cosines: Vec<f32> = all.map(|(bytes, scale)| to.cosine(bytes, *scale)).collect();
        for (document, intents) in &self.intents {
            if let Some(cosine) = cosines.get_mut(*document as usize) {
                *cosine = with_intents(*cosine, intents, to);
            }
        }
        cosines
    }

    pub(crate) fn cosine(&self, document: u32, to: &Direction) -> f32 {
        let (bytes, scale) = self.get(document);
        with_intents(to.cosine(bytes, scale), self.intents(document), to)
    }

    /// Returns those of the `cosines` whose documents have a vector.
    pub(crate) fn with_vector<'a>(&'a self, cosines: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
        let all = cosines.iter().zip(&self.scales);
        all.filter_map(|(cosine, scale)| (*scale > 0.0).then_some(*cosine))
    }
}

fn with_intents(whole: f32, intents: &[Quantized], to: &Direction) -> f32 {
    let cosines = intents.iter().map(|it| to.cosine(&it.bytes, it.scale));
    match cosines.reduce(f32::max) {
        Some(nearest) => WHOLE_WEIGHT * whole + (1.0 - WHOLE_WEIGHT) * nearest,
        None => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_intent_counts() {
        let of = |x: f32, y: f32| Quantized::new(&[x, y]);
        let mut vectors = Vectors::new(2);
        let to = Direction::new(&[1.0, 0.0]);
        vectors.set(0, vec![of(0.0, 1.0)]);
        vectors.set(1, vec![of(0.0, 1.0), of(1.0, 0.0)]);
        vectors.set(
            2,
            vec![of(0.0, 1.0), of(0.0, 1.0), of(1.0, 0.0), of(-1.0, 0.0)],
        );
        let cosines = vectors.cosines(&to);
        for (found, expected) in cosines.iter().zip([0.0, 0.75, 0.75]) {
            assert!((found - expected).abs() < 0.01, "{cosines:?}");
        }
        assert!((vectors.cosine(2, &to) - cosines[2]).abs() < 1e-6);
        vectors.set(2, vec![of(1.0, 0.0)]);
        assert!(vectors.intents(2).is_empty() && vectors.cosine(2, &to) > 0.99);
    }
}
