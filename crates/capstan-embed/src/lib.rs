//! Turns texts into vectors: with the static model that is compiled in, a local MiniLM, or any
//! endpoint with OpenAI's embeddings API.
//!
//! It must not know what the vectors are for: no index, no ranking, no capabilities.

mod built_in;
mod endpoint;
mod minilm;
mod vector;
mod wordpiece;

pub use built_in::StaticModel;
pub use endpoint::{AddressError, Endpoint, EndpointSettings};
pub use minilm::MiniLm;
