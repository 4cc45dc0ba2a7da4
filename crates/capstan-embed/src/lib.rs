//! Texts to vectors: the static model that is compiled in, a local MiniLM, and any endpoint that speaks
//! OpenAI's embeddings.
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
