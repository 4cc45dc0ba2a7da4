//! Measures search with queries and the documents that they should find, and what a call over MCP costs.
//!
//! The library must not know how capabilities are run, or where a user's things are kept. The binary `capstan-bench`
//! gives it the built-in catalogue, or the commands that start servers.

mod confidence;
mod corpus;
mod embed;
mod error;
mod evaluate;
mod figures;
mod generated;
mod margin;
pub mod mcp;
mod report;

pub use confidence::Confidence;
pub use corpus::{Corpus, Mode, Part, Query, Source};
pub use embed::Embed;
pub use error::BenchError;
pub use evaluate::evaluate;
pub use figures::Figures;
pub use generated::{GeneratedReport, GeneratedRow, QuerySet};
pub use margin::Margin;
pub use report::{Report, Row};
