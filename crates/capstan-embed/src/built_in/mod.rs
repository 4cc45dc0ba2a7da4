//! The static model, which is compiled in.

mod data;
mod embedder;
mod model;

pub use model::StaticModel;
