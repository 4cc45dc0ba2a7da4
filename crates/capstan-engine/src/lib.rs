//! The engine: finds capabilities by name (cards, tools, code, skills and Capstan's own actions), runs them through
//! the executor, records the executions, and returns envelopes.
//!
//! It knows ports only, never an adapter: nothing here knows HTTP, processes, SQL, JavaScript or YAML.

mod capability;
mod capstan;
mod chain_runner;
mod code;
mod cost;
mod default_repository;
mod discovery;
mod envelope;
mod lines;
mod local;
mod plans;
mod recorder;
mod resolver;
mod run;
mod services;
mod session;
mod settings;
mod shared;
mod skill;
mod step_result;
mod text;
mod trace_log;
mod typescript;
mod value_provenance;
mod words;

pub use capstan::{
    Capstan, built_in_documents, built_in_search, explain, list_built_in, search_built_in,
};
pub use capstan_exec::{ChunkLimits, PlannedLevel, PlannedRequest, Policy, Progress};
pub use cost::estimated_tokens;
pub use default_repository::DefaultRepository;
pub use discovery::{
    AcceptSyntax, Acceptance, AcceptedPlan, Around, BuiltInSearch, Confidence, Cursor, Discovery,
    Explanation, FoundWithDeps, GraphFilter, Hit, HitWithDeps, Hypergraph, IntentSuggestions,
    KnownEdge, MAX_HITS, Neighbor, NodeKind, Page, Parameter, Path, PlannedCall, Relation,
    RelationFilter, SearchRequest, SkillSheet, SkillVersions, Snapshot, SnapshotNode,
    SuggestedPlan, Suggestion, Zone, relation_warnings,
};
pub use lines::{BadLine, ReadLine, form_of, with_defaults};
pub use local::{is_own_action, own_actions};
pub use plans::SkillPlans;
pub use run::{ChainPlan, DryRun, PlannedStep};
pub use services::Services;
pub use session::Interruption;
pub use settings::Settings;
pub use text::{from_toon, to_reader_text, to_shorter_text, to_text};
pub use typescript::{Declarations, signature};
pub use words::{Words, settled_options};
