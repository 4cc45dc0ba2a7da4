//! MCP: three small tools, one prompt, both living protocol revisions (2026-07-28 and 2025-11-25).

mod answer;
mod arguments;
mod gate;
mod lines;
mod message;
mod news;
mod serve;
mod server;
mod skill;
mod tools;
mod work;

pub use serve::{ServeError, serve, serve_stdio};
pub use skill::SKILL;
