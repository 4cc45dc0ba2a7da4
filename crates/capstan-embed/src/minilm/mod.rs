//! A sentence-transformers model of the BERT family in a folder, such as all-MiniLM-L6-v2. It is a
//! thousand times slower than the static model, and understands texts better.

mod config;
mod embedder;
mod error;
mod fingerprint;
mod forward;
mod model;
mod tensors;
mod weights;

pub use embedder::MiniLm;
