//! A hash of a document's content. It changes if and only if the content changes.

use sha2::{Digest as _, Sha256};

use crate::Document;

/// The first 16 bytes of a SHA-256 hash of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(pub(crate) [u8; 16]);

impl Digest {
    pub(crate) fn from_document(document: &Document) -> Self {
        let Document {
            id,
            names,
            description,
            intents,
            parameters,
        } = document;
        let mut hash = Sha256::new();
        let mut add = |texts: &[String]| {
            hash.update((texts.len() as u64).to_le_bytes());
            for text in texts {
                hash.update((text.len() as u64).to_le_bytes());
                hash.update(text);
            }
        };
        add(std::slice::from_ref(id));
        add(names);
        add(std::slice::from_ref(description));
        add(intents);
        add(parameters);
        let whole = hash.finalize();
        let mut half = [0; 16];
        half.copy_from_slice(&whole[..16]);
        Self(half)
    }
}
