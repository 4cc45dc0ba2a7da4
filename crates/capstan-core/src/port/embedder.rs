//! The port to what turns texts into vectors, so that texts that mean alike are near each other.

use super::BoxFuture;
use crate::ResultError;

pub trait Embedder: Send + Sync {
    /// Another name, other vectors: what was made by one cannot be compared with what another makes.
    fn model(&self) -> &str;

    /// Its vectors cost nothing and hardly any time.
    fn is_cheap(&self) -> bool {
        false
    }

    /// One vector for each text, all of the same length. Nothing is read or connected before.
    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, ResultError>>;
}
