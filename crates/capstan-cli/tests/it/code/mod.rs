//! Code capabilities through the whole product: what was promised, over MCP and on the command line,
//! across restarts.

mod acceptance;
mod busy;
mod calls;
mod downstream;
mod examples;
pub(crate) mod interrupt;
mod kill;
mod long;
mod masks;
mod names;
mod pages;
mod parameters;
mod scopes;
mod silence;
mod spellings;
pub(crate) mod surface;
mod trust;
mod waiting;
mod words;
