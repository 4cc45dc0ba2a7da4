//! An index as bytes, and back. Bytes of a stranger may be refused, but do no harm.
//!
//! ```text
//! magic, format, checksum of the rest
//! model, dimension
//! words, sorted
//! documents, sorted: key, names, digest, lengths, words with counts, vector, vectors of intents
//! ```

mod read;
mod write;

/// The first bytes of every snapshot.
const MAGIC: [u8; 8] = *b"capstan/";

/// Changes with the format, and with the way in which texts become words.
const FORMAT: u32 = 2;
