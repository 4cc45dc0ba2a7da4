//! The connection to a running server, from its handshake to its end.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use rmcp::RoleClient;
use rmcp::model::{ClientRequest, PingRequest};
use rmcp::service::RunningService;

use super::ServerSpec;
use super::start::CompletedHandshake;
use crate::channel::{Client, FaultKind, RequestChannel, RequestFault};
use crate::stdio::Process;
use crate::task::Task;
use crate::tools::Lister;

/// How long closing a server may take, however it behaves.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(6);

#[derive(Debug)]
pub(crate) struct Connection {
    channel: Arc<RequestChannel>,
    lister: Lister,
    running: Mutex<Option<RunningService<RoleClient, Client>>>,
    process: Option<Arc<Process>>,
    ping_timeout: Duration,
    /// The task that checks whether the server is still alive, if one was started.
    probe: Mutex<Option<Task>>,
}

impl Connection {
    pub(super) fn new(spec: &ServerSpec, completed: CompletedHandshake) -> Self {
        let CompletedHandshake {
            running,
            liveness,
            process,
        } = completed;
        let channel = Arc::new(RequestChannel::new(running.peer().clone(), liveness));
        let lister = Lister::start(
            Arc::clone(&spec.memory),
            Arc::clone(&channel),
            Arc::clone(&running.service().tools_changed),
            spec.config.call_timeout,
        );
        Self {
            channel,
            lister,
            running: Mutex::new(Some(running)),
            process,
            ping_timeout: spec.config.ping_timeout,
            probe: Mutex::default(),
        }
    }

    pub(crate) fn channel(&self) -> &RequestChannel {
        &self.channel
    }

    pub(crate) fn lister(&self) -> &Lister {
        &self.lister
    }

    /// Returns the name and version that the server reports.
    pub(crate) fn name(&self) -> Option<String> {
        let info = self.channel.peer().peer_info()?;
        let info = info.server_info.as_ref()?;
        let name = format!("{} {}", info.name, info.version);
        Some(
            name.trim()
                .chars()
                .filter(|c| !c.is_control())
                .take(100)
                .collect(),
        )
    }

    /// Returns how the server ended, if it has.
    pub(crate) fn end_reason(&self) -> Option<Arc<str>> {
        let liveness = self.channel.liveness();
        let reason = liveness.end_reason();
        reason.or_else(|| liveness.is_closing().then(|| "it ended".into()))
    }

    /// Checks whether the server is still alive after a call ran out of time, and ends it if not. A
    /// server that is busy need not answer a ping, but then it is as good as gone.
    pub(crate) fn check_liveness(self: &Arc<Self>) {
        let mut probe = self.probe.lock().unwrap_or_else(PoisonError::into_inner);
        if probe.as_ref().is_none_or(Task::is_finished) {
            *probe = Some(Task::spawn(ping_or_abort(Arc::downgrade(self))));
        }
    }

    /// Ends the server at once. Callers that wait for an answer get `why`.
    pub(crate) fn abort(&self, reason: &str) {
        self.channel.liveness().record_end(reason);
        if let Some(process) = &self.process {
            process.kill();
        }
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        drop(running.take());
    }

    /// Ends the server gracefully.
    pub(crate) async fn close(&self) {
        let running = {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.take()
        };
        if let Some(mut running) = running {
            // An error means that its task panicked; it is closed then, too.
            let _ = running.close_with_timeout(CLOSE_TIMEOUT).await;
        }
        self.abort("it was stopped");
    }
}

async fn ping_or_abort(connection: Weak<Connection>) {
    let Some((channel, timeout)) = connection
        .upgrade()
        .map(|it| (Arc::clone(&it.channel), it.ping_timeout))
    else {
        return;
    };
    let messages_before = channel.liveness().message_count();
    let ping = ClientRequest::PingRequest(PingRequest {
        method: Default::default(),
        extensions: Default::default(),
    });
    let answer = channel.request(ping, Instant::now() + timeout).await;
    let reason = match answer {
        Err(RequestFault {
            kind: FaultKind::OutOfTime,
            ..
        }) if channel.liveness().message_count() == messages_before => {
            "it stopped answering, even to pings, and was ended".into()
        }
        Err(RequestFault {
            kind: FaultKind::Ended(reason),
            ..
        }) => reason,
        _ => return,
    };
    if let Some(connection) = connection.upgrade() {
        tracing::warn!("a server that does not answer is ended");
        connection.abort(&reason);
    }
}
