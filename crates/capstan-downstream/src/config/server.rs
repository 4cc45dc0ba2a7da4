//! The configuration of one server, checked and ready to be started.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use capstan_core::Secret;
use url::Url;

use super::ServerName;
use super::secrecy::{password_of, secrets_of};

/// Long, because a package may have to be downloaded first.
const START_TIMEOUT: Duration = Duration::from_secs(30);
const CALL_TIMEOUT: Duration = Duration::from_secs(60);
const PING_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Clone, Debug)]
pub struct ServerConfig {
    pub name: ServerName,
    pub transport: Transport,
    /// How long the server may take until the handshake is complete.
    pub start_timeout: Duration,
    /// How long one call may take, unless its own deadline is earlier.
    pub call_timeout: Duration,
    /// How long the server may take to answer a ping after a call ran out of time.
    pub ping_timeout: Duration,
    /// Secrets that were inserted into arguments and addresses.
    pub inserted_secrets: Vec<Secret>,
}

/// How a server is reached.
#[derive(Clone)]
pub enum Transport {
    /// A process that we start.
    Stdio {
        command: String,
        args: Vec<String>,
        /// Variables in addition to the few that every program may have.
        env: Vec<(String, Secret)>,
        cwd: Option<PathBuf>,
    },
    /// Streamable HTTP.
    Http {
        url: Url,
        headers: Vec<(String, Secret)>,
    },
}

impl ServerConfig {
    pub fn new(name: ServerName, transport: Transport) -> Self {
        Self {
            name,
            transport,
            start_timeout: START_TIMEOUT,
            call_timeout: CALL_TIMEOUT,
            ping_timeout: PING_TIMEOUT,
            inserted_secrets: Vec::new(),
        }
    }

    /// Returns what must be masked everywhere, including in what the server says.
    pub fn secrets(&self) -> Vec<Secret> {
        let mut secrets = self.inserted_secrets.clone();
        match &self.transport {
            Transport::Stdio { env, args, .. } => {
                for (name, value) in env {
                    secrets.extend(secrets_of(name, value.expose()));
                }
                let passwords = args.iter().filter_map(|arg| password_of(arg));
                secrets.extend(passwords.map(Secret::new));
            }
            Transport::Http { url, headers } => {
                for (name, value) in headers {
                    secrets.extend(secrets_of(name, value.expose()));
                }
                secrets.extend(url.password().map(Secret::new));
                for (name, value) in url.query_pairs() {
                    secrets.extend(secrets_of(&name, &value));
                }
            }
        }
        secrets
    }
}

/// Prints names, never values: variables and headers contain secrets, and arguments often do.
impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |pairs: &[(String, Secret)]| -> Vec<String> {
            pairs.iter().map(|(name, _)| name.clone()).collect()
        };
        match self {
            Transport::Stdio {
                command,
                args,
                env,
                cwd,
            } => f
                .debug_struct("Stdio")
                .field("command", command)
                .field("args", &args.len())
                .field("env", &names(env))
                .field("cwd", cwd)
                .finish(),
            Transport::Http { url, headers } => f
                .debug_struct("Http")
                .field("origin", &url.origin().ascii_serialization())
                .field("headers", &names(headers))
                .finish(),
        }
    }
}
