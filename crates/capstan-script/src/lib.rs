//! TypeScript as agents write it: its identity, what it calls and reads, and the JavaScript to run.
//!
//! Pure and synchronous. This crate must not run anything and must not know an engine, process or
//! store.

mod identity;
mod read;
mod reading;
mod run;
mod source;
mod source_map;

pub use read::{MAX_SOURCE_BYTES, read, read_uncalled};
pub use source_map::SourceMap;
