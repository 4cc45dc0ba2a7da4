//! Services: descriptions that nobody has read become outlines by general rules. What cannot be called is left out, with
//! the reason.

mod answer;
mod authorization;
mod body;
mod filter;
mod import;
mod inputs;
mod introspection;
mod naming;
mod outline;
mod paging;
mod schema_import;
mod settings;
mod wording;
mod words;

pub use filter::OperationFilter;
pub use import::{ServiceImport, import_openapi};
pub use schema_import::import_graphql;
pub use settings::ServiceSuggestion;
