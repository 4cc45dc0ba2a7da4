//! How others reach Capstan: the Model Context Protocol, HTTP, and chains as people write them.
//!
//! It must not know how capabilities are run: no routes, no HTTP client, no card files. The MCP
//! library stays inside `mcp`, the HTTP server inside `http`.

pub mod http;
mod learner;
pub mod mcp;
pub mod view;
pub mod wire;
