//! What is remembered, in SQLite: capabilities made of code, their names and statistics, traces, runs of
//! skills.
//!
//! Nobody else sees SQL. It must not know how anything is run.

mod beginning;
mod capabilities;
mod change;
mod fault;
mod job;
mod json;
mod migrations;
mod number;
mod open_traces;
mod place;
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

pub use place::make_folder_of;
pub use store::SqliteStore;
