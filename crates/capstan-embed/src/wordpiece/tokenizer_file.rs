//! Reads `tokenizer.json` in the format of Hugging Face's libraries: the vocabulary, and how texts
//! are split. Only BERT's way for uncased texts is supported; others are refused.

use serde_json::{Map, Value};

use super::pack::MAX_WORD_BYTES;

#[derive(Debug)]
pub(crate) struct TokenizerFile {
    /// The words in the order of their ids.
    pub(crate) words: Vec<String>,
    pub(crate) unknown: u32,
    pub(crate) specials: Vec<u32>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum TokenizerError {
    #[error("it is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("its `{part}` is not {expected}: only tokenizers of uncased BERT models can be used")]
    Unlike {
        part: &'static str,
        expected: &'static str,
    },
    #[error("its vocabulary has no word with the id {0}, or a word twice")]
    Hole(usize),
    #[error("its vocabulary has a word of {0} bytes")]
    LongWord(usize),
    #[error("its special word `{0}` is not in its vocabulary")]
    Special(String),
}

impl TokenizerFile {
    pub(crate) fn read(json: &[u8]) -> Result<Self, TokenizerError> {
        let file: Value = serde_json::from_slice(json)?;
        check(&file)?;
        let vocabulary = file["model"]["vocab"].as_object();
        let vocabulary = vocabulary.ok_or(unlike("model.vocab", "a vocabulary"))?;
        let id = |word: &str| {
            let id = vocabulary.get(word).and_then(Value::as_u64);
            id.map(|id| id as u32)
                .ok_or_else(|| TokenizerError::Special(word.to_owned()))
        };
        let specials = added(&file)
            .map(|added| id(&added))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            words: in_order(vocabulary)?,
            unknown: id("[UNK]")?,
            specials,
        })
    }

    pub(crate) fn id(&self, word: &str) -> Option<u32> {
        let place = self.words.iter().position(|known| known == word);
        place.map(|id| id as u32)
    }
}

fn check(file: &Value) -> Result<(), TokenizerError> {
    let normalizer = &file["normalizer"];
    let is = |part: &Value, expected: &str| part.as_str() == Some(expected);
    if !is(&normalizer["type"], "BertNormalizer")
        || normalizer["clean_text"] != true
        || normalizer["handle_chinese_chars"] != true
        || normalizer["lowercase"] != true
        || normalizer["strip_accents"] == false
    {
        return Err(unlike("normalizer", "BERT's, with everything lowercase"));
    }
    if !is(&file["pre_tokenizer"]["type"], "BertPreTokenizer") {
        return Err(unlike("pre_tokenizer", "BERT's"));
    }
    let model = &file["model"];
    // Old files have no type, but their vocabulary is a table too.
    if !(model["type"].is_null() || is(&model["type"], "WordPiece"))
        || !is(&model["unk_token"], "[UNK]")
        || !is(&model["continuing_subword_prefix"], "##")
        || model["max_input_chars_per_word"] != 100
    {
        return Err(unlike("model", "WordPiece as BERT has it"));
    }
    let plain = |token: &Value| {
        ["normalized", "single_word", "lstrip", "rstrip"]
            .iter()
            .all(|flag| token[flag] == false)
    };
    match file["added_tokens"].as_array() {
        Some(tokens) if !tokens.iter().all(plain) => Err(unlike(
            "added_tokens",
            "a list of words that are taken as they are",
        )),
        _ => Ok(()),
    }
}

fn added(file: &Value) -> impl Iterator<Item = String> {
    let tokens = file["added_tokens"].as_array().into_iter().flatten();
    tokens
        .filter_map(|token| token["content"].as_str())
        .filter(|content| !content.is_empty())
        .map(str::to_owned)
}

fn in_order(vocabulary: &Map<String, Value>) -> Result<Vec<String>, TokenizerError> {
    let mut words = vec![None; vocabulary.len()];
    for (word, id) in vocabulary {
        if word.len() > MAX_WORD_BYTES {
            return Err(TokenizerError::LongWord(word.len()));
        }
        if let Some(place) = id.as_u64().and_then(|id| words.get_mut(id as usize)) {
            *place = Some(word.clone());
        }
    }
    let places = words.into_iter().enumerate();
    places
        .map(|(id, word)| word.ok_or(TokenizerError::Hole(id)))
        .collect()
}

fn unlike(part: &'static str, expected: &'static str) -> TokenizerError {
    TokenizerError::Unlike { part, expected }
}
