//! Keeps the tools of a running server up to date.

use std::sync::Arc;
use std::time::{Duration, Instant};

use capstan_core::port::LeftOut;
use rmcp::model::SubscriptionFilter;
use rmcp::service::Subscription;
use tokio::sync::{Notify, watch};

use super::list::{self, Listed};
use super::memory::{Memory, Tools};
use crate::line::{Fault, Line};
use crate::task::Task;

/// A server that announces changes all the time is not asked all the time.
const PAUSE: Duration = Duration::from_millis(500);

#[derive(Clone, Debug)]
pub(crate) enum Listing {
    /// It has not answered yet.
    Pending,
    Known(Tools, LeftOut),
    Failed(Fault),
}

#[derive(Debug)]
pub(crate) struct Lister {
    listing: watch::Receiver<Listing>,
    again: Arc<Notify>,
    _task: Task,
}

impl Lister {
    /// Lists now, and whenever `changed` says so.
    pub(crate) fn start(
        memory: Arc<Memory>,
        line: Arc<Line>,
        changed: Arc<Notify>,
        patience: Duration,
    ) -> Self {
        let (sender, listing) = watch::channel(Listing::Pending);
        let again = Arc::clone(&changed);
        let work = Work {
            memory,
            line,
            changed,
            patience,
            listing: sender,
        };
        Self {
            listing,
            again,
            _task: Task::spawn(work.run()),
        }
    }

    /// The tools as far as they are known; waits for the first answer.
    pub(crate) async fn wait(&self) -> Listing {
        let mut listing = self.listing.clone();
        let known = listing.wait_for(|listing| !matches!(listing, Listing::Pending));
        let known = known.await.map(|listing| listing.clone());
        if let Ok(Listing::Failed(_)) = &known {
            // Whoever asks next may be luckier.
            self.again.notify_one();
        }
        known.unwrap_or(Listing::Pending)
    }
}

struct Work {
    memory: Arc<Memory>,
    line: Arc<Line>,
    changed: Arc<Notify>,
    patience: Duration,
    listing: watch::Sender<Listing>,
}

impl Work {
    async fn run(self) {
        let mut subscription = None;
        loop {
            let deadline = Instant::now() + self.patience;
            match list::all(self.memory.server(), &self.line, deadline).await {
                Ok(Listed { tools, left_out }) => {
                    let tools = Tools::from(tools);
                    self.memory.remember(&tools).await;
                    self.listing.send_replace(Listing::Known(tools, left_out));
                }
                // What is known stays known.
                Err(fault) => {
                    self.listing.send_if_modified(|listing| {
                        let nothing_known = !matches!(listing, Listing::Known(..));
                        if nothing_known {
                            *listing = Listing::Failed(fault);
                        }
                        nothing_known
                    });
                }
            }
            if subscription.is_none() {
                subscription = self.subscribe().await;
            }
            tokio::select! {
                () = self.changed.notified() => {}
                () = announced(&mut subscription) => {}
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Since 2026-07-28 changes are announced to those who ask for it.
    async fn subscribe(&self) -> Option<Subscription> {
        let info = self.line.peer().peer_info()?;
        if info.protocol_version.has_initialize() {
            return None;
        }
        let wanted = SubscriptionFilter::builder().tools_list_changed().build();
        let listening = tokio::time::timeout(self.patience, self.line.peer().listen(wanted));
        listening.await.ok()?.ok()
    }
}

/// Waits for ever where there is no subscription, or none any more.
async fn announced(subscription: &mut Option<Subscription>) {
    if let Some(open) = subscription {
        if let Ok(Some(_)) = open.next().await {
            return;
        }
        *subscription = None;
    }
    std::future::pending::<()>().await;
}
