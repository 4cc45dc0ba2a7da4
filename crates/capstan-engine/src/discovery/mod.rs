//! Discovery: lists and searches capabilities, suggests plans, relates and explains capabilities.

mod explanation;
mod find;
mod generated_explanation;
mod graph;
mod service;
mod skill_sheet;
mod suggest;
mod unmatched_denials;

pub use explanation::{Explanation, Parameter};
pub use find::{BuiltInSearch, Hit, MAX_HITS, SearchRequest};
pub(crate) use find::{built_in_documents, list_built_in, list_requested};
pub use graph::{
    Around, Cursor, GraphFilter, Hypergraph, KnownEdge, Neighbor, NodeKind, Page, Path, Relation,
    RelationFilter, Snapshot, SnapshotNode, Zone, relation_warnings,
};
pub use service::Discovery;
pub use skill_sheet::{SkillSheet, SkillVersions};
pub use suggest::{
    AcceptSyntax, Acceptance, AcceptedPlan, Confidence, FoundWithDeps, HitWithDeps,
    IntentSuggestions, PlannedCall, SuggestedPlan, Suggestion,
};
