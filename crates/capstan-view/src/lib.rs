//! Results as text for a model to read: few tokens, and nothing lost that is needed to decide.
//!
//! It must not know how a result came about: no engine, no I/O, no clock. Every value that it shows stands in
//! the envelope; what GitHub wrote is data and can do nothing to whoever reads it.
//!
//! - A success is its data and nothing else. Warnings and a search that GitHub did not finish are told; routes
//!   and times only where the caller asked for a trace.
//! - A list is a header and one row a line; what is equal in all rows stands in the header.
//! - An object is one field a line; long texts come last.
//! - A write is one line that says what is so now.
//! - A failure is its code and message, and what to send instead.
//! - What has none of these shapes is compact JSON.

mod cell;
mod chain;
mod clean;
mod counts;
mod failure;
mod list;
mod object;
mod page;
mod result;
mod single;
mod table;
mod thread;
mod told;
mod trace;
mod value;
mod verb;
mod viewed;
mod words;
mod write;

pub use chain::chain;
pub use single::one;
pub use viewed::Viewed;
