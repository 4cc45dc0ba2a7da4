//! Proves cards against GitHub's schema before anything is sent: documents, variables, paths,
//! types, and a card's statements about itself.
//!
//! Pure and synchronous. It must not know where cards come from (no YAML, no file system) and must
//! not run anything. It carries the pinned schema, compressed. Running capabilities never unpacks
//! it.

mod check;
mod finding;
mod infer;
mod json_schema;
mod pinned;
mod places;
mod rules;
mod schema;
mod selection;
mod ty;

pub use check::{check_card, check_follow_ups};
pub use finding::{CODES, Finding};
pub use schema::{DocumentProblem, GithubSchema};
