//! Starts a server or connects to it, and performs the handshake.

use std::sync::Arc;
use std::time::Instant;

use capstan_core::ErrorCode;
use rmcp::RoleClient;
use rmcp::service::{ClientInitializeError, ClientServiceExt as _, RunningService};
use rmcp::transport::Transport as Carrier;
use tokio::time::timeout_at;

use super::spec::Handshake;
use super::{Connection, ServerSpec};
use crate::channel::{Client, FaultKind, Liveness, MonitoredTransport};
use crate::config::Transport;
use crate::failure::{advice_of_http, code_of_http};
use crate::http::{self, HttpFault};
use crate::stdio::{self, LineTransport, Process, Program, SpawnError};

/// Why a server could not be started.
#[derive(Clone, Debug)]
pub(crate) struct StartFault {
    pub(crate) code: ErrorCode,
    pub(crate) reason: Arc<str>,
    /// Whether the server understood the handshake and refused it. The other revision's handshake
    /// may succeed.
    is_refusal: bool,
}

/// The result of a handshake.
pub(super) struct CompletedHandshake {
    pub(super) running: RunningService<RoleClient, Client>,
    pub(super) liveness: Arc<Liveness>,
    pub(super) process: Option<Arc<Process>>,
}

/// Starts a server within its start timeout.
pub(crate) async fn start(spec: Arc<ServerSpec>) -> Result<Connection, StartFault> {
    let deadline = Instant::now() + spec.config.start_timeout;
    let handshake = spec.handshake();
    let completed = match attempt(&spec, handshake, deadline).await {
        Ok(completed) => completed,
        Err(first) if first.is_refusal => {
            let other = handshake.other();
            let Ok(completed) = attempt(&spec, other, deadline).await else {
                return Err(first);
            };
            spec.set_handshake(other);
            completed
        }
        Err(fault) => return Err(fault),
    };
    Ok(Connection::new(&spec, completed))
}

async fn attempt(
    spec: &ServerSpec,
    handshake: Handshake,
    deadline: Instant,
) -> Result<CompletedHandshake, StartFault> {
    let liveness = Liveness::new();
    let timeout = spec.config.start_timeout;
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
            let spawned = stdio::spawn(program, &spec.environment, Arc::clone(&liveness))
                .map_err(|error| StartFault::from_spawn_error(&error))?;
            let process = spawned.process;
            let lines = LineTransport::new(spawned.stdout, spawned.stdin, Arc::clone(&process));
            let lines = MonitoredTransport::new(lines, Arc::clone(&liveness), None);
            match perform_handshake(lines, handshake, deadline).await {
                Ok(running) => Ok(CompletedHandshake {
                    running,
                    liveness,
                    process: Some(process),
                }),
                Err(HandshakeError::OutOfTime) => {
                    let stderr = process.stderr_tail();
                    Err(StartFault::timed_out(timeout, &stderr))
                }
                Err(HandshakeError::Closed) => {
                    // Dropping the last handle ends the process; then its exit status is known.
                    drop(process);
                    let end = liveness.wait_for_end().await;
                    let why = format!("{end}, before the MCP handshake");
                    Err(StartFault::new(ErrorCode::Network, &why))
                }
                Err(HandshakeError::Fault(fault)) => Err(fault),
            }
        }
        Transport::Http { url, headers } => {
            let carrier = http::transport(url, headers)
                .map_err(|fault| StartFault::from_http_fault(&fault))?;
            let words = Some("the connection was closed");
            let carrier = MonitoredTransport::new(carrier, Arc::clone(&liveness), words);
            match perform_handshake(carrier, handshake, deadline).await {
                Ok(running) => Ok(CompletedHandshake {
                    running,
                    liveness,
                    process: None,
                }),
                Err(HandshakeError::OutOfTime) => Err(StartFault::timed_out(timeout, "")),
                Err(HandshakeError::Closed) => {
                    let why = "the connection was closed before the MCP handshake";
                    Err(StartFault::new(ErrorCode::Network, why))
                }
                Err(HandshakeError::Fault(fault)) => Err(fault),
            }
        }
    }
}

/// Why a handshake failed.
enum HandshakeError {
    OutOfTime,
    Closed,
    Fault(StartFault),
}

async fn perform_handshake<T: Carrier<RoleClient> + 'static>(
    carrier: T,
    handshake: Handshake,
    deadline: Instant,
) -> Result<RunningService<RoleClient, Client>, HandshakeError> {
    let handshake_done = Client::default().serve_with_lifecycle(carrier, handshake.lifecycle());
    match timeout_at(deadline.into(), handshake_done).await {
        Ok(Ok(running)) => Ok(running),
        Ok(Err(error)) => Err(HandshakeError::from_initialize_error(error)),
        Err(_) => Err(HandshakeError::OutOfTime),
    }
}

impl HandshakeError {
    fn from_initialize_error(error: ClientInitializeError) -> Self {
        let fault = match error {
            ClientInitializeError::ConnectionClosed(_) => return HandshakeError::Closed,
            ClientInitializeError::TransportError { error, .. } => {
                match FaultKind::from_transport_error(&error) {
                    FaultKind::Http(fault) => StartFault::from_http_fault(&fault),
                    // The pipe broke: how the process ended says more.
                    _ => return HandshakeError::Closed,
                }
            }
            ClientInitializeError::JsonRpcError(error) => {
                let why = format!("it refused the MCP handshake: {}", error.message);
                StartFault::new(ErrorCode::AdapterUnsupported, &why).with_refusal()
            }
            ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
                let why = "it speaks no revision of MCP that Capstan knows";
                StartFault::new(ErrorCode::AdapterUnsupported, why).with_refusal()
            }
            // The unexpected answer is not shown: it may contain anything.
            _ => {
                let why = "it does not answer like an MCP server";
                StartFault::new(ErrorCode::AdapterUnsupported, why)
            }
        };
        HandshakeError::Fault(fault)
    }
}

impl StartFault {
    fn new(code: ErrorCode, reason: &str) -> Self {
        Self {
            code,
            reason: reason.into(),
            is_refusal: false,
        }
    }

    fn with_refusal(self) -> Self {
        Self {
            is_refusal: true,
            ..self
        }
    }

    fn from_spawn_error(error: &SpawnError) -> Self {
        Self::new(ErrorCode::AdapterUnsupported, &error.to_string())
    }

    fn from_http_fault(fault: &HttpFault) -> Self {
        let why = format!("{fault}{}", advice_of_http(fault));
        let start = Self::new(code_of_http(fault), &why);
        match fault {
            HttpFault::Status { status: 400, .. } => start.with_refusal(),
            _ => start,
        }
    }

    fn timed_out(timeout: std::time::Duration, stderr: &str) -> Self {
        let mut why = format!(
            "it did not complete the MCP handshake within {:.0} s; raise `start_timeout` to wait longer",
            timeout.as_secs_f64().ceil()
        );
        if !stderr.is_empty() {
            why = format!("{why}. It said: {stderr}");
        }
        Self::new(ErrorCode::Network, &why)
    }
}
