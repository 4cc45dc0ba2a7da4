//! The weights of a BERT encoder, by name and shape.

use ndarray::{Array1, Array2, Axis, concatenate};

use super::config::Config;
use super::error::FolderError;
use super::tensors::Tensors;

#[derive(Debug)]
pub(super) struct Weights {
    pub(super) words: Array2<f32>,
    /// The positions, to which the first text type is added, because all texts have it.
    pub(super) positions: Array2<f32>,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
}

#[derive(Debug)]
pub(super) struct Layer {
    /// Queries, keys and values side by side, so that one multiplication computes all three.
    pub(super) attention: Linear,
    pub(super) attended: Linear,
    pub(super) attention_norm: Norm,
    pub(super) wide: Linear,
    pub(super) narrow: Linear,
    pub(super) norm: Norm,
}

#[derive(Debug)]
pub(super) struct Linear {
    /// One column for each output, with contiguous rows, so that the multiplication can be
    /// vectorized.
    pub(super) weight: Array2<f32>,
    pub(super) bias: Array1<f32>,
}

#[derive(Debug)]
pub(super) struct Norm {
    pub(super) weight: Array1<f32>,
    pub(super) bias: Array1<f32>,
}

impl Weights {
    pub(super) fn read(
        tensors: &Tensors<'_>,
        config: &Config,
        words: usize,
    ) -> Result<Self, FolderError> {
        let hidden = config.hidden;
        let embedding = |name: &str, rows: usize| {
            tensors.matrix(&format!("embeddings.{name}.weight"), (rows, hidden))
        };
        let mut positions = embedding("position_embeddings", config.positions)?;
        positions += &embedding("token_type_embeddings", config.types)?.row(0);
        Ok(Self {
            words: embedding("word_embeddings", words)?,
            positions,
            norm: norm(tensors, "embeddings.LayerNorm", hidden)?,
            layers: (0..config.layers)
                .map(|layer| Layer::read(tensors, config, layer))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Layer {
    fn read(tensors: &Tensors<'_>, config: &Config, layer: usize) -> Result<Self, FolderError> {
        let (hidden, wide) = (config.hidden, config.intermediate);
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let linear = |part: &str, from, to| linear(tensors, &name(part), from, to);
        let norm = |part: &str| norm(tensors, &name(part), hidden);
        Ok(Self {
            attention: concatenated(&[
                linear("attention.self.query", hidden, hidden)?,
                linear("attention.self.key", hidden, hidden)?,
                linear("attention.self.value", hidden, hidden)?,
            ]),
            attended: linear("attention.output.dense", hidden, hidden)?,
            attention_norm: norm("attention.output.LayerNorm")?,
            wide: linear("intermediate.dense", hidden, wide)?,
            narrow: linear("output.dense", wide, hidden)?,
            norm: norm("output.LayerNorm")?,
        })
    }
}

fn linear(
    tensors: &Tensors<'_>,
    name: &str,
    from: usize,
    to: usize,
) -> Result<Linear, FolderError> {
    // The file has one row for each output.
    let weight = tensors.matrix(&format!("{name}.weight"), (to, from))?;
    Ok(Linear {
        weight: weight.t().as_standard_layout().into_owned(),
        bias: tensors.vector(&format!("{name}.bias"), to)?,
    })
}

fn norm(tensors: &Tensors<'_>, name: &str, length: usize) -> Result<Norm, FolderError> {
    Ok(Norm {
        weight: tensors.vector(&format!("{name}.weight"), length)?,
        bias: tensors.vector(&format!("{name}.bias"), length)?,
    })
}

#[expect(
    clippy::expect_used,
    reason = "all three were read with the same shape"
)]
fn concatenated(parts: &[Linear; 3]) -> Linear {
    let [query, key, value] = parts;
    let weights = [query.weight.view(), key.weight.view(), value.weight.view()];
    let biases = [query.bias.view(), key.bias.view(), value.bias.view()];
    Linear {
        weight: concatenate(Axis(1), &weights).expect("columns are equally long"),
        bias: concatenate(Axis(0), &biases).expect("vectors can be joined"),
    }
}
