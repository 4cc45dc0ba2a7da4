//! Renders plans for terminals, web pages, Graphviz and Mermaid. The output is deterministic.

mod dot;
mod edges;
mod expression;
mod labels;
mod mermaid;
mod order;
mod order_text;
mod sources;
mod svg;
mod text;
mod tree;

pub use dot::dot;
pub use edges::{Edge, edges};
pub use expression::expression;
pub use mermaid::mermaid;
pub use order::{LevelShown, StepShown, order};
pub use order_text::order_text;
pub use svg::svg;
pub use tree::text_tree;
