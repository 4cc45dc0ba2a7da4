//! A model that was read from a folder, ready to use.

use std::path::Path;

use super::config::Config;
use super::error::{FolderError, read};
use super::forward::forward;
use super::tensors::Tensors;
use super::weights::Weights;
use crate::wordpiece::pack::pack;
use crate::wordpiece::tokenizer_file::TokenizerFile;
use crate::wordpiece::{Vocabulary, WordPiece};

/// How many characters of a long text are used for each word piece that it may have. Most words
/// have fewer than ten, and no piece has more than this.
const CHARS_PER_PIECE: usize = 100;

#[derive(Debug)]
pub(super) struct Model {
    config: Config,
    weights: Weights,
    pieces: WordPiece,
    /// The id of the piece before a text.
    first: u32,
    /// The id of the piece after a text.
    last: u32,
}

impl Model {
    pub(super) fn read(folder: &Path) -> Result<Self, FolderError> {
        let config = Config::read(folder)?;
        let path = folder.join("tokenizer.json");
        let tokenizer = TokenizerFile::read(&read(folder, "tokenizer.json")?)
            .map_err(|why| FolderError::unusable(&path, &why))?;
        let id = |word: &str| {
            let missing = || FolderError::unusable(&path, &format!("it has no `{word}`"));
            tokenizer.id(word).ok_or_else(missing)
        };
        let (first, last) = (id("[CLS]")?, id("[SEP]")?);
        let bytes = read(folder, "model.safetensors")?;
        let path = folder.join("model.safetensors");
        let tensors = Tensors::new(&path, &bytes)?;
        let weights = Weights::read(&tensors, &config, tokenizer.words.len())?;
        let vocabulary = Vocabulary::new(pack(&tokenizer.words));
        Ok(Self {
            config,
            weights,
            pieces: WordPiece::new(vocabulary, tokenizer.unknown, tokenizer.specials),
            first,
            last,
        })
    }

    pub(super) fn vectors(&self, texts: &[String]) -> Vec<Vec<f32>> {
        let ids: Vec<_> = texts.iter().map(|text| self.ids(text)).collect();
        forward(&self.config, &self.weights, &ids)
    }

    /// Returns the ids of the word pieces that are used, including those around the text.
    fn ids(&self, text: &str) -> Vec<u32> {
        let most = self.config.max_pieces - 2;
        let end = text.char_indices().nth(most * CHARS_PER_PIECE);
        let text = &text[..end.map_or(text.len(), |(at, _)| at)];
        let mut ids = self.pieces.encode(text, most);
        ids.insert(0, self.first);
        ids.push(self.last);
        ids
    }
}
