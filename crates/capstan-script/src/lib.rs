//! TypeScript as agents write it: its identity, what it calls and reads, and the JavaScript to run.
//!
//! Pure and synchronous. It must not run anything, and knows no engine, no process, no store.

mod identity;
mod places;
mod read;
mod reading;
mod run;
mod source;

pub use places::Places;
pub use read::{LONGEST_SOURCE, read, read_uncalled};
