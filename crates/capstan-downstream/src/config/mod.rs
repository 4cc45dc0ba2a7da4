//! What is known about a server before it is started: its name, how to reach it, and how both are
//! read from configuration files.

mod entry;
mod environment;
mod expand;
mod fields;
mod fingerprint;
mod name;
mod problem;
mod read;
mod secrecy;
mod server;

pub use environment::Environment;
pub use name::{InvalidServerName, ServerName};
pub use problem::ConfigProblem;
pub use read::{ServerConfigs, read_mcp_servers, read_toml};
pub use server::{ServerConfig, Transport};

pub(crate) use fingerprint::fingerprint;
