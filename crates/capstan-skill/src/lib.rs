//! Skills: compositions of capabilities, written in YAML. This crate reads them, checks them as a compiler
//! checks code, and builds the plans by which they are run.
//!
//! It reads skills and lock files from the disk (`read`, `lock`, `skill_folders`); everything else is pure.
//! It must not write or run anything: no network, no async runtime, no store.

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
mod skill;
mod skill_folders;
mod version;

pub use check::{Checked, check};
pub use codes::CODES;
pub use diff::{ChangedPart, ComparedSkill, Diff, Impact, SkillChange, diff};
pub use draft::{Draft, DraftError, DraftRequest, Link, ObservedCall, draft};
pub use given::Given;
pub use id::{InvalidId, SkillId};
pub use library::{Contract, Library, OutsideCapabilities, OutsideCapability, UnusableSkill};
pub use lock::{Lock, LockChange};
pub use places::Places;
pub use plan::{Leaf, Node, NodeKind, Plan, Scope, SpreadStep, fingerprint};
pub use range::Range;
pub use read::{ReadSkills, diagnose_empty_path, file_schema, read_path, read_text};
pub use skill::{
    Backoff, Block, ChangelogEntry, Compose, Condition, Deprecation, Level, OperationClass, Origin,
    Placed, Requirement, Retry, Runs, Skill, StepBlock,
};
pub use skill_folders::SkillFolders;
pub use version::{Bump, Version};
