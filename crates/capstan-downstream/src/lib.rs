//! Downstream MCP servers: started when they are needed, their tools listed and called.
//!
//! It must not know what the tools are for, nor who calls them; it reads no environment and no files.

mod answer;
mod backoff;
mod config;
mod connection;
mod failure;
mod http;
mod line;
mod server;
mod servers;
mod stdio;
mod task;
mod tools;

pub use config::{
    Configs, Environment, InvalidServerName, Problem, ServerConfig, ServerName, Transport,
    read_mcp_servers, read_toml,
};
pub use servers::Servers;
