//! Converts the engine's results to text for a reader, the same over MCP and on the command line.
//!
//! `capstan-view` writes the text. This crate adds what only the engine knows: the card behind a result, the
//! form of a line, which matches fit. It must not know who reads: no protocol, no terminal.

mod bad_lines;
mod matches;
mod results;
mod subject;

pub use bad_lines::bad_lines_text;
pub use matches::{is_worth_showing, keep_fitting, match_line};
pub use results::{chain_text, result_text};
pub use subject::Subject;
