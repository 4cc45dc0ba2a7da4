//! Starts a server, or connects to it, and shakes hands.

use std::sync::Arc;
use std::time::Instant;

use capstan_core::ErrorCode;
use rmcp::RoleClient;
use rmcp::service::{ClientInitializeError, ClientServiceExt as _, RunningService};
use rmcp::transport::Transport as Carrier;
use tokio::time::timeout_at;

use super::spec::Era;
use super::{Connection, Spec};
use crate::config::Transport;
use crate::failure::{advice_of_http, code_of_http};
use crate::http::{self, HttpFault};
use crate::line::{Client, Kind, Pulse, Watched};
use crate::stdio::{self, Lines, Process, Program, SpawnError};

/// Why a server could not be started, in words.
#[derive(Clone, Debug)]
pub(crate) struct StartFault {
    pub(crate) code: ErrorCode,
    pub(crate) why: Arc<str>,
    /// It understood us and said no: in the way of the other revision it may say yes.
    refused: bool,
}

/// What a handshake leaves behind.
pub(super) struct Shaken {
    pub(super) running: RunningService<RoleClient, Client>,
    pub(super) pulse: Arc<Pulse>,
    pub(super) process: Option<Arc<Process>>,
}

/// Starts a server within its time.
pub(crate) async fn start(spec: Arc<Spec>) -> Result<Connection, StartFault> {
    let deadline = Instant::now() + spec.config.start_timeout;
    let era = spec.era();
    let shaken = match attempt(&spec, era, deadline).await {
        Ok(shaken) => shaken,
        Err(first) if first.refused => {
            let era = era.other();
            let Ok(shaken) = attempt(&spec, era, deadline).await else {
                return Err(first);
            };
            spec.set_era(era);
            shaken
        }
        Err(fault) => return Err(fault),
    };
    Ok(Connection::new(&spec, shaken))
}

async fn attempt(spec: &Spec, era: Era, deadline: Instant) -> Result<Shaken, StartFault> {
    let pulse = Pulse::new();
    let patience = spec.config.start_timeout;
    match &spec.config.transport {
        Transport::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            let program = Program {
                command,
                args,
                env,
                cwd: cwd.as_ref(),
            };
            let spawned = stdio::spawn(program, &spec.environment, Arc::clone(&pulse))
                .map_err(|error| StartFault::of_spawn(&error))?;
            let process = spawned.process;
            let lines = Lines::new(spawned.stdout, spawned.stdin, Arc::clone(&process));
            let lines = Watched::new(lines, Arc::clone(&pulse), None);
            match shake(lines, era, deadline).await {
                Ok(running) => Ok(Shaken {
                    running,
                    pulse,
                    process: Some(process),
                }),
                Err(Shake::OutOfTime) => {
                    let said = process.last_words();
                    Err(StartFault::out_of_time(patience, &said))
                }
                Err(Shake::Closed) => {
                    // Nobody holds it any more, so it ends, and then it is known how.
                    drop(process);
                    let how = pulse.ended().await;
                    let why = format!("{how}, before it had shaken hands");
                    Err(StartFault::new(ErrorCode::Network, &why))
                }
                Err(Shake::Fault(fault)) => Err(fault),
            }
        }
        Transport::Http { url, headers } => {
            let carrier =
                http::transport(url, headers).map_err(|fault| StartFault::of_http(&fault))?;
            let words = Some("the connection was closed");
            let carrier = Watched::new(carrier, Arc::clone(&pulse), words);
            match shake(carrier, era, deadline).await {
                Ok(running) => Ok(Shaken {
                    running,
                    pulse,
                    process: None,
                }),
                Err(Shake::OutOfTime) => Err(StartFault::out_of_time(patience, "")),
                Err(Shake::Closed) => {
                    let why = "the connection was closed before hands were shaken";
                    Err(StartFault::new(ErrorCode::Network, why))
                }
                Err(Shake::Fault(fault)) => Err(fault),
            }
        }
    }
}

/// Why hands were not shaken.
enum Shake {
    OutOfTime,
    Closed,
    Fault(StartFault),
}

async fn shake<T: Carrier<RoleClient> + 'static>(
    carrier: T,
    era: Era,
    deadline: Instant,
) -> Result<RunningService<RoleClient, Client>, Shake> {
    let shaking = Client::default().serve_with_lifecycle(carrier, era.lifecycle());
    match timeout_at(deadline.into(), shaking).await {
        Ok(Ok(running)) => Ok(running),
        Ok(Err(error)) => Err(Shake::of(error)),
        Err(_) => Err(Shake::OutOfTime),
    }
}

impl Shake {
    fn of(error: ClientInitializeError) -> Self {
        let fault = match error {
            ClientInitializeError::ConnectionClosed(_) => return Shake::Closed,
            ClientInitializeError::TransportError { error, .. } => {
                match Kind::of_transport(&error) {
                    Kind::Http(fault) => StartFault::of_http(&fault),
                    // A pipe that broke: how the process ended says more.
                    _ => return Shake::Closed,
                }
            }
            ClientInitializeError::JsonRpcError(error) => {
                let why = format!("it refuses to shake hands: {}", error.message);
                StartFault::new(ErrorCode::AdapterUnsupported, &why).refused()
            }
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
                let why = "it speaks no revision of MCP that is known here";
                StartFault::new(ErrorCode::AdapterUnsupported, why).refused()
            }
            // What came instead is not shown: it may be anything.
            _ => {
                let why = "it does not answer as MCP servers do";
                StartFault::new(ErrorCode::AdapterUnsupported, why)
            }
        };
        Shake::Fault(fault)
    }
}

impl StartFault {
    fn new(code: ErrorCode, why: &str) -> Self {
        Self {
            code,
            why: why.into(),
            refused: false,
        }
    }

    fn refused(self) -> Self {
        Self {
            refused: true,
            ..self
        }
    }

    fn of_spawn(error: &SpawnError) -> Self {
        Self::new(ErrorCode::AdapterUnsupported, &error.to_string())
    }

    fn of_http(fault: &HttpFault) -> Self {
        let why = format!("{fault}{}", advice_of_http(fault));
        let start = Self::new(code_of_http(fault), &why);
        match fault {
            HttpFault::Status { status: 400, .. } => start.refused(),
            _ => start,
        }
    }

    fn out_of_time(patience: std::time::Duration, said: &str) -> Self {
        let mut why = format!(
            "it did not shake hands within {:.0} s; `start_timeout` gives it longer",
            patience.as_secs_f64().ceil()
        );
        if !said.is_empty() {
            why = format!("{why}. It said: {said}");
        }
        Self::new(ErrorCode::Network, &why)
    }
}
