//! The connection to a running server, from its handshake to its end.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use rmcp::RoleClient;
use rmcp::model::{ClientRequest, PingRequest};
use rmcp::service::RunningService;

use super::Spec;
use super::start::Shaken;
use crate::line::{Client, Fault, Kind, Line};
use crate::stdio::Process;
use crate::task::Task;
use crate::tools::Lister;

/// How long a server may take to be closed, however it behaves.
const LAST_PATIENCE: Duration = Duration::from_secs(6);

#[derive(Debug)]
pub(crate) struct Connection {
    line: Arc<Line>,
    lister: Lister,
    running: Mutex<Option<RunningService<RoleClient, Client>>>,
    process: Option<Arc<Process>>,
    ping_timeout: Duration,
    /// Whether somebody is finding out if the server is still there.
    probe: Mutex<Option<Task>>,
}

impl Connection {
    pub(super) fn new(spec: &Spec, shaken: Shaken) -> Self {
        let Shaken {
            running,
            pulse,
            process,
        } = shaken;
        let line = Arc::new(Line::new(running.peer().clone(), pulse));
        let lister = Lister::start(
            Arc::clone(&spec.memory),
            Arc::clone(&line),
            Arc::clone(&running.service().tools_changed),
            spec.config.call_timeout,
        );
        Self {
            line,
            lister,
            running: Mutex::new(Some(running)),
            process,
            ping_timeout: spec.config.ping_timeout,
            probe: Mutex::default(),
        }
    }

    pub(crate) fn line(&self) -> &Line {
        &self.line
    }

    pub(crate) fn lister(&self) -> &Lister {
        &self.lister
    }

    /// What the server calls itself.
    pub(crate) fn name(&self) -> Option<String> {
        let info = self.line.peer().peer_info()?;
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

    /// How it ended, if it has.
    pub(crate) fn end(&self) -> Option<Arc<str>> {
        let pulse = self.line.pulse();
        let words = pulse.last_words();
        words.or_else(|| pulse.is_closing().then(|| "it ended".into()))
    }

    /// A call ran out of time: finds out whether the server still does anything, and ends it if not.
    /// One that is busy with something else need not answer a ping, but then it is as good as gone.
    pub(crate) fn doubt(self: &Arc<Self>) {
        let mut probe = self.probe.lock().unwrap_or_else(PoisonError::into_inner);
        if probe.as_ref().is_none_or(Task::is_over) {
            *probe = Some(Task::spawn(check(Arc::downgrade(self))));
        }
    }

    /// Ends it at once; whoever waits for an answer is told why.
    pub(crate) fn give_up(&self, why: &str) {
        self.line.pulse().end(why);
        if let Some(process) = &self.process {
            process.kill();
        }
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        drop(running.take());
    }

    /// Ends it politely.
    pub(crate) async fn close(&self) {
        let running = {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.take()
        };
        if let Some(mut running) = running {
            // An error means that it panicked, and then it is closed too.
            let _ = running.close_with_timeout(LAST_PATIENCE).await;
        }
        self.give_up("it was stopped");
    }
}

async fn check(connection: Weak<Connection>) {
    let Some((line, patience)) = connection
        .upgrade()
        .map(|it| (Arc::clone(&it.line), it.ping_timeout))
    else {
        return;
    };
    let heard = line.pulse().heard();
    let ping = ClientRequest::PingRequest(PingRequest {
        method: Default::default(),
        extensions: Default::default(),
    });
    let answer = line.ask(ping, Instant::now() + patience).await;
    let why = match answer {
        Err(Fault {
            kind: Kind::OutOfTime,
            ..
        }) if line.pulse().heard() == heard => {
            "it did not answer any more, not even a ping, and was ended".into()
        }
        Err(Fault {
            kind: Kind::Ended(how),
            ..
        }) => how,
        _ => return,
    };
    if let Some(connection) = connection.upgrade() {
        tracing::warn!("a server that does not answer is ended");
        connection.give_up(&why);
    }
}
