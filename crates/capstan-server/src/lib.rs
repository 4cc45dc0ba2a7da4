//! How others reach Capstan: the Model Context Protocol.
//!
//! It must not know how capabilities are run: no routes, no HTTP client, no card files. The MCP
//! library stays inside `mcp`.

pub mod mcp;
