//! The encoder: turns word pieces into vectors of texts. The texts of a batch are consecutive rows
//! of the same matrices, so there is no padding. Only attention treats each text separately.

use std::f32::consts::FRAC_1_SQRT_2;
use std::ops::Range;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayViewMut1, Axis, s};

use super::config::{Config, Pooling};
use super::weights::{Layer, Linear, Norm, Weights};
use crate::vector::normalize;

/// Returns the vectors of texts, each of length 1. All ids must be in the vocabulary, and no text
/// may be longer than the number of positions.
pub(super) fn forward(config: &Config, weights: &Weights, texts: &[Vec<u32>]) -> Vec<Vec<f32>> {
    let row_ranges = row_ranges(texts);
    let mut rows = embeddings(weights, texts);
    weights.norm.apply(&mut rows, config.epsilon);
    for layer in &weights.layers {
        rows = layer.apply(config, &rows, &row_ranges);
    }
    let vectors = row_ranges.iter().map(|range| {
        let text = rows.slice(s![range.clone(), ..]);
        let mut vector = match config.pooling {
            Pooling::Mean => text.sum_axis(Axis(0)) / range.len() as f32,
            Pooling::First => text.row(0).to_owned(),
        }
        .to_vec();
        normalize(&mut vector);
        vector
    });
    vectors.collect()
}

/// Returns the rows of each text.
fn row_ranges(texts: &[Vec<u32>]) -> Vec<Range<usize>> {
    let row_ranges = texts.iter().scan(0, |end, text| {
        let start = *end;
        *end += text.len();
        Some(start..*end)
    });
    row_ranges.collect()
}

fn embeddings(weights: &Weights, texts: &[Vec<u32>]) -> Array2<f32> {
    let rows = texts.iter().map(Vec::len).sum();
    let mut embeddings = Array2::zeros((rows, weights.words.ncols()));
    let pieces = texts.iter().flat_map(|text| text.iter().enumerate());
    for (mut row, (position, id)) in embeddings.rows_mut().into_iter().zip(pieces) {
        row += &weights.words.row(*id as usize);
        row += &weights.positions.row(position);
    }
    embeddings
}

impl Layer {
    fn apply(
        &self,
        config: &Config,
        rows: &Array2<f32>,
        row_ranges: &[Range<usize>],
    ) -> Array2<f32> {
        let context = attention(config, &self.attention.apply(rows), row_ranges);
        let mut attended = self.attended.apply(&context);
        attended += rows;
        self.attention_norm.apply(&mut attended, config.epsilon);
        let mut wide = self.wide.apply(&attended);
        wide.mapv_inplace(gelu);
        let mut narrow = self.narrow.apply(&wide);
        narrow += &attended;
        self.norm.apply(&mut narrow, config.epsilon);
        narrow
    }
}

/// Computes attention: each word piece takes the values of the others, weighted by how similar its
/// query is to their keys.
fn attention(config: &Config, rows: &Array2<f32>, row_ranges: &[Range<usize>]) -> Array2<f32> {
    let (hidden, size) = (config.hidden, config.hidden / config.heads);
    let scale = 1.0 / (size as f32).sqrt();
    let mut context = Array2::zeros((rows.nrows(), hidden));
    for range in row_ranges {
        for head in 0..config.heads {
            let part = |which: usize| {
                let start = which * hidden + head * size;
                rows.slice(s![range.clone(), start..start + size])
            };
            let mut scores = part(0).dot(&part(1).t());
            for row in scores.rows_mut() {
                softmax(row, scale);
            }
            let columns = head * size..(head + 1) * size;
            let mut target = context.slice_mut(s![range.clone(), columns]);
            general_mat_mul(1.0, &scores, &part(2), 0.0, &mut target);
        }
    }
    context
}

fn softmax(mut row: ArrayViewMut1<'_, f32>, scale: f32) {
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.mapv_inplace(|x| ((x - most) * scale).exp());
    let sum = row.sum();
    row /= sum;
}

impl Linear {
    fn apply(&self, rows: &Array2<f32>) -> Array2<f32> {
        let shape = (rows.nrows(), self.bias.len());
        let mut product = match self.bias.broadcast(shape) {
            Some(bias) => bias.to_owned(),
            None => Array2::zeros(shape),
        };
        general_mat_mul(1.0, rows, &self.weight, 1.0, &mut product);
        product
    }
}

impl Norm {
    /// Normalizes each row to mean 0 and variance 1, and applies the learned weights.
    fn apply(&self, rows: &mut Array2<f32>, epsilon: f32) {
        for mut row in rows.rows_mut() {
            let length = row.len() as f32;
            let mean = row.sum() / length;
            row -= mean;
            let variance = row.iter().map(|x| x * x).sum::<f32>() / length;
            row /= (variance + epsilon).sqrt();
            row *= &self.weight;
            row += &self.bias;
        }
    }
}

fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * FRAC_1_SQRT_2))
}

/// Returns the error function as a quotient of polynomials, correct to six digits. The exact
/// function cannot be vectorized, and a text needs it hundreds of thousands of times.
fn erf(x: f32) -> f32 {
    const ABOVE: [f32; 7] = [
        -2.726_142_3e-10,
        2.770_681_4e-8,
        -2.101_024e-6,
        -5.692_506_4e-5,
        -7.349_906_3e-4,
        -2.954_6e-3,
        -1.609_603_3e-2,
    ];
    const BELOW: [f32; 5] = [
        -1.456_607_2e-5,
        -2.133_740_6e-4,
        -1.682_827e-3,
        -7.373_329e-3,
        -1.426_473_9e-2,
    ];
    // Beyond this range it is 1 to six digits.
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let at = |factors: &[f32]| {
        factors
            .iter()
            .fold(0.0, |sum, factor| sum * square + factor)
    };
    x * at(&ABOVE) / at(&BELOW)
}

#[cfg(test)]
mod tests {
    use super::erf;

    #[test]
    fn the_error_function_is_right_to_six_digits() {
        for x in (-6_000..=6_000_i16).map(|x| f32::from(x) / 1_000.0) {
            let (ours, exact) = (erf(x), libm::erff(x));
            assert!((ours - exact).abs() < 1e-6, "{x}: {ours} {exact}");
        }
    }
}
