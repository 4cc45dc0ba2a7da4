//! The static model as an `Embedder`.

use capstan_core::ResultError;
use capstan_core::port::{BoxFuture, Embedder};

use super::StaticModel;

impl Embedder for StaticModel {
    fn model(&self) -> &str {
        self.name()
    }

    fn is_cheap(&self) -> bool {
        true
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, ResultError>> {
        Box::pin(async move { Ok(texts.iter().map(|text| self.embed(text)).collect()) })
    }
}
