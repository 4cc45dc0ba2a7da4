//! How others reach Capstan: the Model Context Protocol, and chains as people write them.
//!
//! It must not know how capabilities are run: no routes, no HTTP client, no card files. The MCP
//! library stays inside `mcp`.

pub mod mcp;
pub mod wire;
