//! The configuration of a model: its sizes, and how the vector of a text is made from those of its
//! word pieces.

use std::path::Path;

use serde_json::Value;

use super::error::{FolderError, read};

/// The usual value of models of this kind, if a folder has none.
const DEFAULT_EPSILON: f64 = 1e-12;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Config {
    pub(super) hidden: usize,
    pub(super) layers: usize,
    pub(super) heads: usize,
    pub(super) intermediate: usize,
    pub(super) positions: usize,
    /// The number of text types; ours are always of the first type.
    pub(super) types: usize,
    pub(super) epsilon: f32,
    /// How many word pieces of a text are used, including the two around it.
    pub(super) max_pieces: usize,
    pub(super) pooling: Pooling,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    Mean,
    /// The vector of the piece before the text (`[CLS]`).
    First,
}

impl Config {
    pub(super) fn read(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join("config.json");
        let config = json(folder, "config.json")?;
        let bad = |why: String| FolderError::unusable(&path, &why);
        for (field, known) in [
            ("model_type", "bert"),
            ("hidden_act", "gelu"),
            ("position_embedding_type", "absolute"),
        ] {
            if let Some(other) = config[field].as_str().filter(|it| *it != known) {
                return Err(bad(format!(
                    "its `{field}` is `{other}`: only `{known}` is supported"
                )));
            }
        }
        let number = |field: &str| {
            let number = config[field]
                .as_u64()
                .filter(|it| (1..=1 << 20).contains(it));
            let number = number.ok_or_else(|| bad(format!("its `{field}` is not a number from 1")));
            number.map(|number| number as usize)
        };
        let (hidden, heads) = (number("hidden_size")?, number("num_attention_heads")?);
        if !hidden.is_multiple_of(heads) {
            return Err(bad(format!(
                "{heads} heads cannot share {hidden} dimensions"
            )));
        }
        let positions = number("max_position_embeddings")?;
        if positions < 3 {
            return Err(bad("it has no room for a text".to_owned()));
        }
        Ok(Self {
            hidden,
            heads,
            positions,
            types: number("type_vocab_size")?,
            layers: number("num_hidden_layers")?,
            intermediate: number("intermediate_size")?,
            epsilon: config["layer_norm_eps"].as_f64().unwrap_or(DEFAULT_EPSILON) as f32,
            max_pieces: max_sequence_length(folder)?
                .unwrap_or(positions)
                .clamp(3, positions),
            pooling: pooling(folder)?,
        })
    }
}

/// Returns the length of texts in training, in word pieces. The model knows little about longer
/// texts.
fn max_sequence_length(folder: &Path) -> Result<Option<usize>, FolderError> {
    let file = optional_json(folder, "sentence_bert_config.json")?;
    let max_sequence_length = file["max_seq_length"].as_u64();
    Ok(max_sequence_length.map(|max_sequence_length| max_sequence_length as usize))
}

fn pooling(folder: &Path) -> Result<Pooling, FolderError> {
    let name = "1_Pooling/config.json";
    let file = optional_json(folder, name)?;
    let Some(file) = file.as_object() else {
        return Ok(Pooling::Mean);
    };
    let chosen = file.iter().filter(|(_, value)| **value == true);
    let chosen: Vec<_> = chosen
        .filter_map(|(name, _)| name.strip_prefix("pooling_mode_"))
        .collect();
    match chosen[..] {
        ["mean_tokens"] => Ok(Pooling::Mean),
        ["cls_token"] => Ok(Pooling::First),
        _ => Err(FolderError::unusable(
            &folder.join(name),
            &"expected either `pooling_mode_mean_tokens` or `pooling_mode_cls_token`, and no other mode",
        )),
    }
}

fn json(folder: &Path, name: &str) -> Result<Value, FolderError> {
    let bytes = read(folder, name)?;
    serde_json::from_slice(&bytes).map_err(|why| FolderError::unusable(&folder.join(name), &why))
}

/// Reads a JSON file; `Null` if the file does not exist.
fn optional_json(folder: &Path, name: &str) -> Result<Value, FolderError> {
    match json(folder, name) {
        Err(FolderError::NoFile(_)) => Ok(Value::Null),
        other => other,
    }
}
