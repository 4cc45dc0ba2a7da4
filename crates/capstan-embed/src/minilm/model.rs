//! A folder that was read, ready to be used.

use std::path::Path;

use super::config::Config;
use super::error::{FolderError, read};
use super::forward::forward;
use super::tensors::Tensors;
use super::weights::Weights;
use crate::wordpiece::pack::pack;
use crate::wordpiece::tokenizer_file::TokenizerFile;
use crate::wordpiece::{Vocabulary, WordPiece};

/// Of a long text so many characters are looked at for each piece that it may have. Most words have
/// fewer than ten, and no piece has more.
const LONGEST_PIECE: usize = 100;

#[derive(Debug)]
pub(super) struct Model {
    config: Config,
    weights: Weights,
    pieces: WordPiece,
    /// What stands before a text.
    first: u32,
    /// What stands after it.
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

    /// The pieces of a text that are looked at, with those that stand around it.
    fn ids(&self, text: &str) -> Vec<u32> {
        let most = self.config.most_pieces - 2;
        let end = text.char_indices().nth(most * LONGEST_PIECE);
        let text = &text[..end.map_or(text.len(), |(at, _)| at)];
        let mut ids = self.pieces.encode(text, most);
        ids.insert(0, self.first);
        ids.push(self.last);
        ids
    }
}
