//! Drafts skills: turns observed calls into a skill that makes them again.

mod asked;
mod make;
mod naming;
mod observed;
mod order;
mod places;
mod schema;
mod steps;
mod text;
mod values;
mod yaml;

pub use make::draft;
pub use observed::{Draft, DraftError, DraftRequest, Link, ObservedCall};
