//! The port to models that turn texts into vectors. Texts with similar meanings have similar
//! vectors.

use super::BoxFuture;
use crate::ResultError;

pub trait Embedder: Send + Sync {
    /// Returns the name of the model. Vectors of models with different names cannot be compared.
    fn model(&self) -> &str;

    /// Returns whether vectors cost almost no time and no money.
    fn is_cheap(&self) -> bool {
        false
    }

    /// Returns one vector for each text, all of the same length. The first call reads files or
    /// connects.
    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, ResultError>>;
}
