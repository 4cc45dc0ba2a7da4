//! MCP: three small tools, one prompt, skills, both living protocol revisions (2026-07-28 and 2025-11-25).

mod answer;
mod arguments;
mod gate;
mod lines;
mod message;
mod news;
mod options;
mod roots;
mod serve;
mod server;
mod skills;
mod tools;
mod work;

pub use options::McpOptions;
pub use serve::{ServeError, serve, serve_stdio};
pub use skills::SKILL;
