//! Capstan's memory in SQLite: code capabilities with their names and statistics, relations,
//! traces, and runs of skills.
//!
//! No other crate sees SQL. This crate must not know how anything is run.

mod capabilities;
mod changes;
mod fault;
mod id_prefix;
mod integer;
mod job;
mod json;
mod location;
mod migrations;
mod open_traces;
mod pool;
mod process;
mod reader;
mod relations;
mod runs;
mod session;
mod store;
mod tools;
mod traces;
mod writer;

pub use location::create_parent_folder;
pub use store::SqliteStore;
