//! Discovery: what there is, what fits an intent, what belongs together, and what somebody has to know to use it.

mod explanation;
mod find;
mod graph;
mod service;
mod sheet;
mod suggest;
mod unmatched_denials;

pub use explanation::{Explanation, Parameter};
pub use find::{Hit, MOST_FOUND, Wanted};
pub(crate) use find::{built_in_documents, list_built_in, search_built_in};
pub use graph::{
    Around, Cursor, GraphFilter, Hypergraph, KnownEdge, Neighbor, NodeKind, Page, Path, Related,
    Relation, Snapshot, SnapshotNode, Zone, warnings_of,
};
pub use service::Discovery;
pub use sheet::{Sheet, SkillVersions};
pub use suggest::{
    Acceptance, AcceptedPlan, Confidence, FoundWithDeps, HitWithDeps, PlannedCall, Suggested,
    SuggestedPlan, Suggestion, Wording,
};
