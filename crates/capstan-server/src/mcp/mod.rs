//! The MCP server: three small tools, one prompt and skills, for the protocol revision 2026-07-28, and for
//! 2025-11-25 and older ones.

mod arguments;
mod cancellable;
mod message;
mod options;
mod progress;
mod revision;
mod roots;
mod serve;
mod server;
mod skills;
mod tool_result;
mod tools;
mod transport;

pub use options::McpOptions;
pub use serve::{ServeError, serve, serve_stdio};
pub use skills::MAIN_SKILL;
