//! Downstream MCP servers: started when they are needed, their tools listed and called.
//!
//! It must not know what the tools are for, nor who calls them.
