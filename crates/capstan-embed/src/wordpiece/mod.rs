//! Texts to the word pieces of a vocabulary, exactly as BERT's tokenizer cuts them.

mod encode;
mod normalize;
pub(crate) mod pack;
mod split;
pub(crate) mod tokenizer_file;
mod vocabulary;

pub(crate) use encode::WordPiece;
pub(crate) use vocabulary::Vocabulary;
