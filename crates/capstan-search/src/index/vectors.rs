//! The vectors of all documents, one after the other.

use crate::VectorError;
use crate::vector::{Direction, Quantized};

#[derive(Clone, Debug)]
pub(crate) struct Vectors {
    dimension: usize,
    bytes: Vec<i8>,
    scales: Vec<f32>,
}

impl Vectors {
    pub(crate) fn new(dimension: usize) -> Self {
        Self {
            dimension,
            bytes: Vec::new(),
            scales: Vec::new(),
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

    /// Keeps the vector of a document; nothing is near to one without.
    pub(crate) fn set(&mut self, document: u32, vector: Option<&Quantized>) {
        let at = document as usize;
        if self.scales.len() <= at {
            self.scales.resize(at + 1, 0.0);
            self.bytes.resize((at + 1) * self.dimension, 0);
        }
        let place = &mut self.bytes[at * self.dimension..(at + 1) * self.dimension];
        match vector {
            Some(vector) if vector.bytes.len() == place.len() => {
                place.copy_from_slice(&vector.bytes);
                self.scales[at] = vector.scale;
            }
            _ => {
                place.fill(0);
                self.scales[at] = 0.0;
            }
        }
    }

    pub(crate) fn get(&self, document: u32) -> (&[i8], f32) {
        let at = document as usize;
        let bytes = &self.bytes[at * self.dimension..(at + 1) * self.dimension];
        (bytes, self.scales[at])
    }

    /// How near each document is.
    pub(crate) fn cosines(&self, to: &Direction) -> Vec<f32> {
        if self.dimension == 0 {
            return vec![0.0; self.scales.len()];
        }
        let all = self.bytes.chunks_exact(self.dimension).zip(&self.scales);
        all.map(|(bytes, scale)| to.cosine(bytes, *scale)).collect()
    }

    pub(crate) fn cosine(&self, document: u32, to: &Direction) -> f32 {
        let (bytes, scale) = self.get(document);
        to.cosine(bytes, scale)
    }

    /// Of what `cosines` made, those of documents that have a vector.
    pub(crate) fn of_any<'a>(&'a self, cosines: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
        let all = cosines.iter().zip(&self.scales);
        all.filter_map(|(cosine, scale)| (*scale > 0.0).then_some(*cosine))
    }
}
