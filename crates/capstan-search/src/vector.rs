//! Vectors of length one, with one byte for each number.

/// A quantized vector: its numbers are the bytes times the scale.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantized {
    pub(crate) bytes: Vec<i8>,
    pub(crate) scale: f32,
}

impl Quantized {
    /// Quantizes a vector. A vector without a direction, or with numbers that are not finite,
    /// becomes zeros.
    pub(crate) fn new(vector: &[f32]) -> Self {
        let squares: f64 = vector.iter().map(|&it| f64::from(it) * f64::from(it)).sum();
        let length = squares.sqrt();
        let largest = vector.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
        if !(length.is_finite() && length > 0.0 && largest.is_finite()) {
            return Self {
                bytes: vec![0; vector.len()],
                scale: 0.0,
            };
        }
        let step = f64::from(largest) / f64::from(i8::MAX);
        let bytes = vector
            .iter()
            .map(|&it| (f64::from(it) / step).round() as i8);
        Self {
            bytes: bytes.collect(),
            scale: (step / length) as f32,
        }
    }
}

/// A vector that is compared with many others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Direction {
    numbers: Vec<i16>,
    scale: f32,
}

impl Direction {
    pub(crate) fn new(vector: &[f32]) -> Self {
        let Quantized { bytes, scale } = Quantized::new(vector);
        Self {
            numbers: bytes.into_iter().map(i16::from).collect(),
            scale,
        }
    }

    /// Returns the cosine between it and a quantized vector.
    pub(crate) fn cosine(&self, bytes: &[i8], scale: f32) -> f32 {
        dot(bytes, &self.numbers) as f32 * scale * self.scale
    }
}

/// Returns the sum of the products. It is written so that the compiler multiplies eight numbers at
/// once on any processor: it sees that both operands are 16 bits wide.
fn dot(bytes: &[i8], numbers: &[i16]) -> i32 {
    const WIDTH: usize = 32;
    let (bytes, last_bytes) = bytes.as_chunks::<WIDTH>();
    let (numbers, last_numbers) = numbers.as_chunks::<WIDTH>();
    let mut sum = 0;
    for (bytes, numbers) in bytes.iter().zip(numbers) {
        let mut wide = [0_i16; WIDTH];
        for (wide, byte) in wide.iter_mut().zip(bytes) {
            *wide = i16::from(*byte);
        }
        let mut part = 0;
        for (a, b) in wide.iter().zip(numbers) {
            part += i32::from(*a) * i32::from(*b);
        }
        sum += part;
    }
    let last = last_bytes.iter().zip(last_numbers);
    sum + last
        .map(|(a, b)| i32::from(*a) * i32::from(*b))
        .sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(one: &[f32], two: &[f32]) -> f32 {
        let one = Quantized::new(one);
        Direction::new(two).cosine(&one.bytes, one.scale)
    }

    #[test]
    fn a_byte_a_number_is_enough() {
        let one: Vec<f32> = (0..250_u16).map(|i| f32::from(i).sin()).collect();
        let two: Vec<f32> = (0..250_u16).map(|i| f32::from(i).cos() * 7.0).collect();
        assert!((cosine(&one, &one) - 1.0).abs() < 0.01);
        assert!(cosine(&one, &two).abs() < 0.02);
    }

    #[test]
    fn what_has_no_direction_is_near_nothing() {
        for odd in [
            [0.0, 0.0],
            [f32::NAN, 1.0],
            [f32::INFINITY, 1.0],
            [f32::MAX, f32::MAX],
        ] {
            let near = cosine(&odd, &[1.0, 1.0]);
            assert!((0.0..=1.01).contains(&near), "{odd:?} {near}");
        }
    }
}
