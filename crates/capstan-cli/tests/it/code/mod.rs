//! Code capabilities through the whole product: what was promised, over MCP and on the command line,
//! across restarts.

mod acceptance;
mod calls;
mod downstream;
mod examples;
mod kill;
mod names;
mod scopes;
mod surface;
mod trust;
