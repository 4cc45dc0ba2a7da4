//! Any server with OpenAI's embeddings API: OpenAI itself, Ollama, llama.cpp, vLLM and many others.

mod address;
mod answer;
mod embedder;
mod exchange;
mod refusal;

pub use address::AddressError;
pub use embedder::{Endpoint, EndpointSettings};
