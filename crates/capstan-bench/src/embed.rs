//! The interface to embedding models.

use capstan_embed::StaticModel;

pub trait Embed {
    fn model(&self) -> &str;

    /// Returns the length of the vectors.
    fn dimension(&self) -> usize;

    fn embed(&self, text: &str) -> Vec<f32>;
}

impl Embed for StaticModel {
    fn model(&self) -> &str {
        self.name()
    }

    fn dimension(&self) -> usize {
        Self::DIMENSION
    }

    fn embed(&self, text: &str) -> Vec<f32> {
        Self::embed(self, text)
    }
}
