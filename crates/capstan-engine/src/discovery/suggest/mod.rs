//! Suggests what to run for an intent: ranked candidates with the evidence for and against each, and a plan
//! that is ready to send.

mod accept;
mod analysis;
mod clauses;
mod coverage;
mod dependencies;
mod doubt;
mod fill;
mod negation;
mod negation_tracker;
mod options;
mod plan;
mod producers;
mod quotes;
mod suggestions;
mod topics;
mod values;
mod vocabulary;

pub use accept::{Acceptance, AcceptedPlan};
pub use dependencies::{FoundWithDeps, HitWithDeps};
pub(crate) use fill::required_fields;
pub use plan::{PlannedCall, SuggestedPlan};
pub(crate) use producers::ProducersByInput;
pub use suggestions::{AcceptSyntax, Confidence, IntentSuggestions, Suggestion};
