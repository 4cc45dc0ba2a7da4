//! What to run for an intent: the best matches with everything that speaks for and against them, and a
//! plan that is ready to send.

mod accept;
mod answer;
mod clauses;
mod cover;
mod fill;
mod gather;
mod needs;
mod negation;
mod options;
mod plan;
mod producers;
mod quotes;
mod said;
mod talk;
mod words;

pub use accept::{Acceptance, AcceptedPlan};
pub use answer::{Confidence, Suggested, Suggestion, Wording};
pub(crate) use fill::required;
pub use needs::{FoundWithDeps, HitWithDeps};
pub use plan::{PlannedCall, SuggestedPlan};
pub(crate) use producers::ProducersByInput;
