//! Keeps the tools of a running server up to date.

use std::sync::Arc;
use std::time::{Duration, Instant};

use capstan_core::port::LeftOut;
use rmcp::model::SubscriptionFilter;
use rmcp::service::Subscription;
use tokio::sync::{Notify, watch};

use super::list::{self, ToolList};
use super::memory::{ToolMemory, Tools};
use crate::channel::{RequestChannel, RequestFault};
use crate::task::Task;

/// The least time between two lists, for servers that announce changes all the time.
const PAUSE: Duration = Duration::from_millis(500);

#[derive(Clone, Debug)]
pub(crate) enum Listing {
    /// The server has not answered yet.
    Pending,
    Known(Tools, LeftOut),
    Failed(RequestFault),
}

#[derive(Debug)]
pub(crate) struct Lister {
    listing: watch::Receiver<Listing>,
    list_again: Arc<Notify>,
    _task: Task,
}

impl Lister {
    /// Lists the tools now, and whenever `changed` is notified.
    pub(crate) fn start(
        memory: Arc<ToolMemory>,
        channel: Arc<RequestChannel>,
        changed: Arc<Notify>,
        timeout: Duration,
    ) -> Self {
        let (sender, listing) = watch::channel(Listing::Pending);
        let list_again = Arc::clone(&changed);
        let task = ListerTask {
            memory,
            channel,
            changed,
            timeout,
            listing: sender,
        };
        Self {
            listing,
            list_again,
            _task: Task::spawn(task.run()),
        }
    }

    /// Returns the known tools; waits for the first answer.
    pub(crate) async fn wait(&self) -> Listing {
        let mut listing = self.listing.clone();
        let first_answer = listing.wait_for(|listing| !matches!(listing, Listing::Pending));
        let known = first_answer.await.map(|listing| listing.clone());
        if let Ok(Listing::Failed(_)) = &known {
            // Lists again, because the next caller may succeed.
            self.list_again.notify_one();
        }
        known.unwrap_or(Listing::Pending)
    }
}

struct ListerTask {
    memory: Arc<ToolMemory>,
    channel: Arc<RequestChannel>,
    changed: Arc<Notify>,
    timeout: Duration,
    listing: watch::Sender<Listing>,
}

impl ListerTask {
    async fn run(self) {
        let mut subscription = None;
        loop {
            let deadline = Instant::now() + self.timeout;
            match list::list_tools(self.memory.server(), &self.channel, deadline).await {
                Ok(ToolList { tools, left_out }) => {
                    let tools = Tools::from(tools);
                    self.memory.remember(&tools).await;
                    self.listing.send_replace(Listing::Known(tools, left_out));
                }
                // A failure does not replace known tools.
                Err(fault) => {
                    self.listing.send_if_modified(|listing| {
                        let is_unknown = !matches!(listing, Listing::Known(..));
                        if is_unknown {
                            *listing = Listing::Failed(fault);
                        }
                        is_unknown
                    });
                }
            }
            if subscription.is_none() {
                subscription = self.subscribe().await;
            }
            tokio::select! {
                () = self.changed.notified() => {}
                () = wait_for_announcement(&mut subscription) => {}
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Subscribes to changes. Since 2026-07-28 servers announce them only to subscribers.
    async fn subscribe(&self) -> Option<Subscription> {
        let info = self.channel.peer().peer_info()?;
        if info.protocol_version.has_initialize() {
            return None;
        }
        let wanted = SubscriptionFilter::builder().tools_list_changed().build();
        let listening = tokio::time::timeout(self.timeout, self.channel.peer().listen(wanted));
        listening.await.ok()?.ok()
    }
}

/// Waits for an announcement; for ever if there is no subscription, or if it has ended.
async fn wait_for_announcement(subscription: &mut Option<Subscription>) {
    if let Some(open) = subscription {
        if let Ok(Some(_)) = open.next().await {
            return;
        }
        *subscription = None;
    }
    std::future::pending::<()>().await;
}
