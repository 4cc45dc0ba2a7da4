//! Problems in the configuration of a server.

use std::fmt;

/// A problem that keeps a server from being used. Never contains a value, which may be a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ConfigProblem {
    /// The server's name as written; `None` if the problem concerns the whole text.
    pub server: Option<String>,
    /// What is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.server {
            Some(server) => write!(f, "server `{server}`: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}
