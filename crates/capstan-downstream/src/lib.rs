//! Downstream MCP servers: started when they are needed, their tools listed and called.
//!
//! This crate must not know what the tools are for or who calls them. It reads no environment and
//! no files.

mod answer;
mod backoff;
mod channel;
mod config;
mod connection;
mod failure;
mod http;
mod server;
mod servers;
mod stdio;
mod task;
mod tools;

pub use config::{
    ConfigProblem, Environment, InvalidServerName, ServerConfig, ServerConfigs, ServerName,
    Transport, read_mcp_servers, read_toml,
};
pub use servers::Servers;
