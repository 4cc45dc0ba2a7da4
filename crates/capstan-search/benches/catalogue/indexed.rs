//! The catalogue as vectors and as an index.

use capstan_search::{Document, Index};

const DIMENSION: usize = 256;

/// Returns the vector of a text: the sum of a pseudo-random direction for each word.
pub(crate) fn embed(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSION];
    for word in text.split_whitespace() {
        let letters = word.bytes().fold(7_u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        let mut random = fastrand::Rng::with_seed(letters);
        for number in &mut vector {
            *number += random.f32() - 0.5;
        }
    }
    vector
}

/// The vectors of all texts of a document.
pub(crate) type Vectors = Vec<Vec<f32>>;

pub(crate) fn vectors(documents: &[Document]) -> Vec<Vectors> {
    let all = documents.iter().map(|document| {
        let texts = document.texts();
        texts.iter().map(|text| embed(text)).collect()
    });
    all.collect()
}

pub(crate) fn index(documents: &[Document], vectors: &[Vectors]) -> Index {
    let mut index = Index::new("letters", DIMENSION);
    for (document, vectors) in documents.iter().zip(vectors) {
        index.put(document, vectors).expect("the vectors are ours");
    }
    index
}
