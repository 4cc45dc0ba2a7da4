//! Reads the tensors of `model.safetensors` by name and shape.

use std::path::Path;

use ndarray::{Array1, Array2};
use safetensors::{Dtype, SafeTensors};

use super::error::FolderError;

/// Some files put the name of the model before each tensor.
const PREFIX: &str = "bert.";

#[derive(Debug)]
pub(super) struct Tensors<'a> {
    path: &'a Path,
    file: SafeTensors<'a>,
}

impl<'a> Tensors<'a> {
    pub(super) fn new(path: &'a Path, bytes: &'a [u8]) -> Result<Self, FolderError> {
        let file =
            SafeTensors::deserialize(bytes).map_err(|why| FolderError::unusable(path, &why))?;
        Ok(Self { path, file })
    }

    pub(super) fn matrix(
        &self,
        name: &str,
        shape: (usize, usize),
    ) -> Result<Array2<f32>, FolderError> {
        let numbers = self.numbers(name, &[shape.0, shape.1])?;
        Array2::from_shape_vec(shape, numbers).map_err(|why| FolderError::unusable(self.path, &why))
    }

    pub(super) fn vector(&self, name: &str, length: usize) -> Result<Array1<f32>, FolderError> {
        Ok(Array1::from_vec(self.numbers(name, &[length])?))
    }

    fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, FolderError> {
        let bad = |why: String| FolderError::unusable(self.path, &why);
        let tensor = self.file.tensor(name);
        let tensor = tensor.or_else(|_| self.file.tensor(&format!("{PREFIX}{name}")));
        let tensor = tensor.map_err(|_| bad(format!("it has no `{name}`")))?;
        if tensor.shape() != shape {
            let actual = tensor.shape();
            return Err(bad(format!(
                "`{name}` has the shape {actual:?}, but config.json and tokenizer.json require \
                 {shape:?}"
            )));
        }
        let data = tensor.data();
        let halves = || {
            data.as_chunks()
                .0
                .iter()
                .map(|two| u16::from_le_bytes(*two))
        };
        Ok(match tensor.dtype() {
            Dtype::F32 => {
                let fours = data.as_chunks().0.iter();
                fours.map(|four| f32::from_le_bytes(*four)).collect()
            }
            Dtype::F16 => halves().map(half).collect(),
            Dtype::BF16 => halves()
                .map(|bits| f32::from_bits(u32::from(bits) << 16))
                .collect(),
            other => {
                return Err(bad(format!(
                    "`{name}` has numbers of type {other}: only F32, F16 and BF16 are supported"
                )));
            }
        })
    }
}

/// Converts a 16-bit number: a sign, 5 bits of exponent, 10 bits of fraction.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f32::from(bits & 0x3ff) / 1024.0;
    sign * match exponent {
        0 => fraction * 2_f32.powi(-14),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction) * 2_f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn halves_are_read() {
        for (bits, number) in [
            (0x0000, 0.0),
            (0x8000, -0.0),
            (0x0001, 5.960_464_5e-8),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7bff, 65504.0),
            (0x7c00, f32::INFINITY),
        ] {
            assert_eq!(half(bits).to_bits(), f32::to_bits(number), "{bits:x}");
        }
        assert!(half(0x7e00).is_nan());
    }
}
