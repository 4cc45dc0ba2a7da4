//! Converts results to text for a model: few tokens, and nothing lost that is needed to decide.
//!
//! It must not know how a result came about: no engine, no I/O, no clock. Every value that it shows is in the
//! envelope. What GitHub returned is data and cannot affect the reader's terminal or pose as other text.
//!
//! - A success is shown as its data alone. Warnings and incomplete searches are added; routes and times only if
//!   the caller asked for a trace.
//! - A list has a header and one row per line. Values that all rows share are in the header.
//! - An object has one field per line; long texts come last.
//! - A write is one line that states the result.
//! - A failure is its code and message, and what to send instead.
//! - Other data is compact JSON.

mod cell;
mod chain;
mod clean;
mod context;
mod counts;
mod failure;
mod list;
mod object;
mod page;
mod parts;
mod result;
mod table;
mod thread;
mod title;
mod trace;
mod value;
mod verb;
mod write;

pub use chain::view_chain;
pub use context::ViewContext;
pub use result::view_result;
