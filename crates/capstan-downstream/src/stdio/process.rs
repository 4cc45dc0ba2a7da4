//! A server's process from its start to its end.

use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::{Child, ChildStderr};
use tokio::sync::watch;
use tokio::time::timeout;

use super::group::Group;
use super::tail::Tail;
use crate::line::Pulse;

/// How long a server may take to end after its input was closed.
const GRACE: Duration = Duration::from_secs(1);

/// How long it may take after it was asked by a signal.
const LAST_GRACE: Duration = Duration::from_secs(1);

/// How long one that closed its output may take until its end is seen.
const LINGER: Duration = Duration::from_millis(300);

/// How long what it wrote may take to arrive after its end.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A running process. Dropping it ends the process, and what it started.
#[derive(Debug)]
pub(crate) struct Process {
    order: watch::Sender<Order>,
    tail: Tail,
    pulse: Arc<Pulse>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Run,
    /// Its input is closed; it should go by itself.
    Leave,
    Die,
}

impl Process {
    pub(super) fn watch(
        child: Child,
        group: Group,
        stderr: ChildStderr,
        pulse: Arc<Pulse>,
    ) -> Arc<Self> {
        let (order, orders) = watch::channel(Order::Run);
        let process = Arc::new(Self {
            order,
            tail: Tail::default(),
            pulse: Arc::clone(&pulse),
        });
        let tail = process.tail.clone();
        tokio::spawn(supervise(child, group, stderr, tail, pulse, orders));
        process
    }

    /// Ends it, politely first. Its input must have been closed.
    pub(crate) async fn leave(&self) {
        self.order.send_replace(Order::Leave);
        self.pulse.ended().await;
    }

    pub(crate) fn kill(&self) {
        self.order.send_replace(Order::Die);
    }

    /// What it last wrote to standard error.
    pub(crate) fn last_words(&self) -> String {
        self.tail.text()
    }
}

/// Owns the process until its end, and then says how that was.
async fn supervise(
    mut child: Child,
    mut group: Group,
    stderr: ChildStderr,
    tail: Tail,
    pulse: Arc<Pulse>,
    mut orders: watch::Receiver<Order>,
) {
    let mut reading = tokio::spawn({
        let tail = tail.clone();
        async move { tail.read(stderr).await }
    });
    let status = tokio::select! {
        status = child.wait() => status.ok(),
        order = next(&mut orders) => {
            match order {
                Some(Order::Leave) => dismiss(&mut child, &group).await,
                Some(_) => {}
                // Nobody wants it any more. It may just be about to end by itself.
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
    group.leader_is_gone();
    if timeout(LAST_WORDS, &mut reading).await.is_err() {
        reading.abort();
    }
    pulse.end(&epitaph(status, &tail.text()));
}

/// Nothing when there is nobody left to give one.
async fn next(orders: &mut watch::Receiver<Order>) -> Option<Order> {
    let order = orders.wait_for(|order| *order != Order::Run).await;
    order.ok().map(|order| *order)
}

/// Waits for a process that should go; asks it once more.
async fn dismiss(child: &mut Child, group: &Group) {
    if timeout(GRACE, child.wait()).await.is_err() {
        group.terminate();
        let _ = timeout(LAST_GRACE, child.wait()).await;
    }
}

/// How it ended by itself; without a status it did not.
fn epitaph(status: Option<ExitStatus>, said: &str) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    let how = match status.map(|status| (status.code(), status.signal())) {
        Some((Some(code), _)) => format!("it exited with code {code}"),
        Some((_, Some(signal))) => format!("it was ended by signal {signal}"),
        _ => "it was ended".to_owned(),
    };
    if said.is_empty() {
        how
    } else {
        format!("{how} and said: {said}")
    }
}
