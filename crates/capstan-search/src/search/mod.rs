//! A search: what is asked, how documents are weighed, and what is told about those that are found.

mod confidence;
mod exact;
mod found;
mod fusion;
mod query;
mod run;
mod top;
mod wanted;
mod words;

pub use confidence::FITS;
pub use found::{Correction, Exact, Found, Why};
pub use fusion::Signals;
pub use query::{Filter, Method, Query};
