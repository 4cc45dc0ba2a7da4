//! Vectors.

/// Makes it one of length 1. What has no direction stays nothing.
pub(crate) fn normalize(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    let length = length.max(1e-12);
    for x in vector {
        *x /= length;
    }
}
