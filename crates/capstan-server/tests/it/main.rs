//! The MCP server as a client meets it: raw lines in, raw lines out.

mod arguments;
mod budget;
mod cancel;
mod client;
mod fake;
mod hostile;
mod protocol;
mod tools;
