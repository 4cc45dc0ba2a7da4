//! Runs chains of card operations: checks every step, routes it, looks up what it needs, batches requests, retries,
//! falls back, and normalizes the answers. Results are typed; whoever calls turns them into envelopes.
//!
//! It must not know code, skills, stores, search or suggestions, nor how a request is sent: it sees ports and the two
//! traits [`Delegate`] and [`ChainObserver`].

mod attempt;
mod cancel;
mod chain;
mod defaults;
mod executor;
mod follow_up;
mod form;
mod integers;
pub mod masked;
mod normalize;
mod note;
mod outcome;
mod pagination;
mod policy;
mod prepare;
mod raw_body;
mod raw_call;
mod render;
mod retry;
mod router;
mod schemas;
mod seal;
mod shape;
mod spec;
mod whole;

pub use attempt::Answered;
pub use cancel::CancelFlag;
pub use chain::{
    ChainObserver, ChunkLimits, Delegate, Departure, PlannedLevel, PlannedRequest, Progress, Watch,
};
pub use defaults::with_defaults;
pub use executor::{ChainPlan, Executor, ExecutorSettings, RunContext};
pub use follow_up::{MOST_OFFERED, explain_call};
pub use outcome::{ChainEnd, StepEnd, outcome_of};
pub use policy::{Names, Policy};
pub use prepare::reference;
pub use prepare::{Preparation, PreparedStep, StepTarget, check_alone};
pub use raw_call::{card_for, path_placeholders, sends_same_request};
pub use schemas::{CardSchemas, Schemas, fits};
pub use spec::ChainSpec;
