//! What makes vectors of texts.

use capstan_embed::StaticModel;

pub trait Embed {
    fn model(&self) -> &str;

    /// How many numbers its vectors have.
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
