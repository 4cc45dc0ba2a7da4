//! Running capabilities: validation, routing, lookups, retry, fallback, normalization.
//!
//! It sees ports, never an adapter: nothing here knows HTTP, processes or YAML.

mod capstan;
mod chain;
mod dry_run;
mod explanation;
mod follow_up;
mod input;
mod normalize;
mod note;
mod outcome;
mod pagination;
mod render;
mod retry;
mod router;
mod run;
mod schemas;
mod shape;
mod text;

pub use capstan::{Capstan, Settings, explain};
pub use chain::{ChainPlan, ChunkLimits, PlannedLevel, PlannedRequest, PlannedStep, Progress};
pub use dry_run::DryRun;
pub use explanation::{Explanation, Parameter};
pub use text::{from_toon, to_shorter_text, to_text};
