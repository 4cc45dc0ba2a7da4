//! Skills: compositions of capabilities, written in YAML. Reads them, checks them like a compiler checks
//! code, and makes the plan by which they are run.
//!
//! It reads skills and lock files from the disk (`read`, `lock`, `shelf`); everything else in it is pure. It must not
//! write or run anything: no network, no async runtime, no store.

mod bind;
mod check;
mod codes;
mod diff;
mod document;
mod draft;
mod findings;
mod given;
pub mod graph;
mod id;
mod json_schema;
mod library;
mod lock;
mod near;
mod places;
mod plan;
mod range;
mod read;
pub mod render;
mod resolve;
mod shelf;
mod skill;
mod version;

pub use check::{Checked, check};
pub use codes::CODES;
pub use diff::{Diff, Impact, Part, Seen, SkillChange, diff};
pub use draft::{Draft, DraftError, Link, Observed, Sketch, draft};
pub use given::Given;
pub use id::{InvalidId, SkillId};
pub use library::{Contract, Library, Outside, Outsider, UnusableSkill};
pub use lock::{Lock, Relock};
pub use places::Places;
pub use plan::{Leaf, Node, NodeKind, Plan, Scope, SpreadStep, fingerprint};
pub use range::Range;
pub use read::{Read, adds_nothing, file_schema, read_path, read_text};
pub use shelf::Shelf;
pub use skill::{
    Backoff, Block, Change, Compose, Condition, Deprecation, Level, OperationClass, Origin, Placed,
    Requirement, Retry, Runs, Skill, StepBlock,
};
pub use version::{Bump, Version};
