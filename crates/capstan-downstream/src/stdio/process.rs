//! A server's process from its start to its end.

use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::{Child, ChildStderr};
use tokio::sync::watch;
use tokio::time::timeout;

use super::group::ProcessGroup;
use super::stderr_tail::StderrTail;
use crate::channel::Liveness;

/// How long a server may take to end after its input was closed.
const CLOSE_GRACE: Duration = Duration::from_secs(1);

/// How long it may take to end after a signal.
const SIGNAL_GRACE: Duration = Duration::from_secs(1);

/// How long a process that closed its output may take to end.
const LINGER: Duration = Duration::from_millis(300);

/// How long its last output may take to arrive after its end.
const OUTPUT_GRACE: Duration = Duration::from_millis(200);

/// A running process. Dropping it ends the process and everything that it started.
#[derive(Debug)]
pub(crate) struct Process {
    order: watch::Sender<ProcessOrder>,
    tail: StderrTail,
    liveness: Arc<Liveness>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProcessOrder {
    Run,
    /// The input is closed, and the process should end by itself.
    Close,
    Kill,
}

impl Process {
    pub(super) fn supervised(
        child: Child,
        group: ProcessGroup,
        stderr: ChildStderr,
        liveness: Arc<Liveness>,
    ) -> Arc<Self> {
        let (order, orders) = watch::channel(ProcessOrder::Run);
        let process = Arc::new(Self {
            order,
            tail: StderrTail::default(),
            liveness: Arc::clone(&liveness),
        });
        let tail = process.tail.clone();
        tokio::spawn(supervise(child, group, stderr, tail, liveness, orders));
        process
    }

    /// Ends the process, gracefully at first. Its input must have been closed.
    pub(crate) async fn close(&self) {
        self.order.send_replace(ProcessOrder::Close);
        self.liveness.wait_for_end().await;
    }

    pub(crate) fn kill(&self) {
        self.order.send_replace(ProcessOrder::Kill);
    }

    /// Returns what it last wrote to standard error.
    pub(crate) fn stderr_tail(&self) -> String {
        self.tail.text()
    }
}

/// Owns the process until its end, and then records how it ended.
async fn supervise(
    mut child: Child,
    mut group: ProcessGroup,
    stderr: ChildStderr,
    tail: StderrTail,
    liveness: Arc<Liveness>,
    mut orders: watch::Receiver<ProcessOrder>,
) {
    let mut reading = tokio::spawn({
        let tail = tail.clone();
        async move { tail.read(stderr).await }
    });
    let status = tokio::select! {
        status = child.wait() => status.ok(),
        order = next_order(&mut orders) => {
            match order {
                Some(ProcessOrder::Close) => wait_or_terminate(&mut child, &group).await,
                Some(_) => {}
                // All handles are dropped. The process may be about to end by itself.
                None => {
                    let _ = timeout(LINGER, child.wait()).await;
                }
            }
            let by_itself = child.try_wait().ok().flatten();
            group.kill();
            let _ = child.wait().await;
            by_itself
        }
    };
    group.kill_rest();
    if timeout(OUTPUT_GRACE, &mut reading).await.is_err() {
        reading.abort();
    }
    liveness.record_end(&describe_end(status, &tail.text()));
}

/// Waits for the next order; `None` when all handles are dropped.
async fn next_order(orders: &mut watch::Receiver<ProcessOrder>) -> Option<ProcessOrder> {
    let order = orders.wait_for(|order| *order != ProcessOrder::Run).await;
    order.ok().map(|order| *order)
}

/// Waits for a process that should end, and sends it one signal.
async fn wait_or_terminate(child: &mut Child, group: &ProcessGroup) {
    if timeout(CLOSE_GRACE, child.wait()).await.is_err() {
        group.terminate();
        let _ = timeout(SIGNAL_GRACE, child.wait()).await;
    }
}

/// Describes how the process ended. Without a status it was killed.
fn describe_end(status: Option<ExitStatus>, stderr: &str) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    let how = match status.map(|status| (status.code(), status.signal())) {
        Some((Some(code), _)) => format!("it exited with code {code}"),
        Some((_, Some(signal))) => format!("it was ended by signal {signal}"),
        _ => "it was ended".to_owned(),
    };
    if stderr.is_empty() {
        how
    } else {
        format!("{how} and said: {stderr}")
    }
}
