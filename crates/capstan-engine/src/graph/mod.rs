//! Relations between capabilities: stated, corrected, forgotten, and learned from what was executed.

mod learn;
mod node;
mod relations;

pub use relations::Related;
