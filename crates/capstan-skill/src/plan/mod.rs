//! Plans: the leaves that are run for a skill, and what each of them waits for.

mod build;
mod fingerprint;
mod levels;
mod node;
mod scope;
mod whole;

pub use fingerprint::fingerprint;
pub use node::{Leaf, Node, NodeKind};
pub use scope::{Scope, SpreadStep};
pub use whole::Plan;
