//! Serves Capstan to others: over the Model Context Protocol, and over HTTP.
//!
//! It must not know how capabilities are run: no routes, no HTTP client, no card files. The MCP
//! library stays inside `mcp`, the HTTP server inside `http`.

pub mod http;
mod learner;
pub mod mcp;
