//! Learns from what was executed, off the way of every answer.

use std::sync::atomic::Ordering;

use capstan_core::ResultError;
use capstan_core::code::Node;
use capstan_core::port::{Learned, Store};
use capstan_graph::learn;

use super::common;
use crate::Capstan;
use crate::capability::broken;

/// How many are learned from in one go: somebody may wait for the store meanwhile.
const AT_ONCE: u64 = 100;

impl Capstan {
    /// Learns from everything that was executed and not learned from yet, and compares new code with
    /// what there is. Says how many relations are new or stronger. What ends before it is over is gone
    /// on with the next time.
    pub async fn learn(&self) -> Result<u64, ResultError> {
        let mut changed = 0;
        loop {
            let (learned, is_all) = self.learn_some().await?;
            changed += learned;
            if is_all {
                return Ok(changed);
            }
        }
    }

    /// The same, for those who cannot stay long: a part of it, and only if something was executed here.
    pub async fn learn_from_this(&self) {
        if !self.session.has_news.swap(false, Ordering::Relaxed) {
            return;
        }
        if let Err(error) = self.learn_some().await {
            tracing::debug!(%error.message, "nothing was learned");
        }
    }

    /// Learns everything that there is to learn and brings the graph in memory up to date, for those who
    /// stay: what usually follows is then known without asking the store.
    pub async fn catch_up(&self) {
        self.session.has_news.store(false, Ordering::Relaxed);
        let learned = self.learn().await;
        let held = self.atlas().await;
        if let Err(error) = learned.and(held.map(|_| 0)) {
            tracing::debug!(%error.message, "the graph is not up to date");
        }
    }

    /// Says how many relations changed, and whether nothing is left.
    async fn learn_some(&self) -> Result<(u64, bool), ResultError> {
        let Some(store) = self.store() else {
            return Ok((0, true));
        };
        let (of_traces, no_traces) = self.learn_from_traces(store).await?;
        let (of_code, no_code) = self.compare_new_code(store).await?;
        Ok((of_traces + of_code, no_traces && no_code))
    }

    async fn learn_from_traces(&self, store: &dyn Store) -> Result<(u64, bool), ResultError> {
        let viewer = self.viewer();
        let traces = store.unlearned(viewer, AT_ONCE).await;
        let traces = traces.map_err(|error| broken(&error))?;
        let mut changed = 0;
        for trace in &traces {
            let seen = learn(trace, |id| self.can_be_related(id));
            let learned = store.learn(viewer, &trace.id, seen).await;
            changed += told(&learned.map_err(|error| broken(&error))?);
        }
        Ok((changed, (traces.len() as u64) < AT_ONCE))
    }

    async fn compare_new_code(&self, store: &dyn Store) -> Result<(u64, bool), ResultError> {
        let viewer = self.viewer();
        let new = store.unrelated(viewer, AT_ONCE).await;
        let new = new.map_err(|error| broken(&error))?;
        let mut changed = 0;
        for fqdn in &new {
            let seen = common::with_others(self, store, fqdn).await?;
            let related = store.relate(viewer, fqdn, seen, self.timestamp()).await;
            changed += told(&related.map_err(|error| broken(&error))?);
        }
        Ok((changed, (new.len() as u64) < AT_ONCE))
    }
}

/// What contains itself is a paradox that somebody should look at.
fn told(learned: &Learned) -> u64 {
    for cycle in &learned.cycles {
        let names: Vec<_> = cycle.iter().map(Node::as_str).collect();
        tracing::warn!(path = names.join(" → "), "a capability contains itself");
    }
    learned.changed
}
