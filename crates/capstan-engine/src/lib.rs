//! Running capabilities, whatever they are: validation, policy, routing, lookups, retry, fallback,
//! normalization, traces.
//!
//! It sees ports, never an adapter: nothing here knows HTTP, processes, SQL, JavaScript or YAML.

mod capability;
mod capstan;
mod code;
mod combined;
mod cost;
mod default_repository;
mod delegate;
mod dry_run;
mod envelope;
mod explanation;
mod find;
mod graph;
mod keep;
mod lines;
mod local;
mod own_login;
mod parts;
mod passing;
mod recorder;
mod runner;
mod session;
mod settled;
mod skill;
mod staged;
mod step_result;
mod suggest;
mod text;
mod typescript;
mod unmatched_denials;

pub use capstan::{Capstan, Settings, explain};
pub use capstan_exec::{ChunkLimits, PlannedLevel, PlannedRequest, Policy, Progress};
pub use cost::estimated_tokens;
pub use default_repository::DefaultRepository;
pub use dry_run::{ChainPlan, DryRun, PlannedStep};
pub use explanation::{Explanation, Parameter};
pub use find::{Hit, MOST_FOUND, Wanted, built_in_documents, list_built_in, search_built_in};
pub use graph::{
    Around, Cursor, GraphFilter, Hypergraph, KnownEdge, Neighbor, NodeKind, Page, Path, Related,
    Relation, Snapshot, SnapshotNode, Zone, warnings_of,
};
pub use lines::{BadLine, ReadLine, form_of, with_defaults};
pub use local::is_own_action;
pub use parts::Parts;
pub use recorder::Interruption;
pub use settled::settled_options;
pub use skill::{Sheet, SkillVersions};
pub use suggest::{
    Acceptance, AcceptedPlan, Confidence, FoundWithDeps, HitWithDeps, PlannedCall, Suggested,
    SuggestedPlan, Suggestion, Wording,
};
pub use text::{from_toon, to_reader_text, to_shorter_text, to_text};
pub use typescript::{Declarations, signature};
