//! Operations on vectors.

/// Scales a vector to length 1. A zero vector stays zero.
pub(crate) fn normalize(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    let length = length.max(1e-12);
    for x in vector {
        *x /= length;
    }
}
