//! Splits texts into the word pieces of a vocabulary, exactly like BERT's tokenizer.

mod encode;
mod normalize;
pub(crate) mod pack;
mod split;
pub(crate) mod tokenizer_file;
mod vocabulary;

pub(crate) use encode::WordPiece;
pub(crate) use vocabulary::Vocabulary;
