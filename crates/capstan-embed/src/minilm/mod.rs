//! A sentence-transformers model of BERT's kind in a folder, such as all-MiniLM-L6-v2: slower than the
//! static model by a thousand times, and better at what texts mean.

mod config;
mod embedder;
mod error;
mod fingerprint;
mod forward;
mod model;
mod tensors;
mod weights;

pub use embedder::MiniLm;
