//! Learns relations from executions. No response waits for it.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use capstan_core::ResultError;
use capstan_core::code::{Fqdn, Mode, Node, Trace};
use capstan_core::port::{Learned, Resolved, Store};
use capstan_graph::{Maker, Makers, learn};

use super::similar_code;
use crate::capability::store_error;
use crate::discovery::Discovery;

/// How many traces are read at once, so that others do not wait long for the store.
const BATCH_SIZE: u64 = 100;

impl Discovery {
    /// Learns from all new traces and compares new code with older code. Returns how many relations are new
    /// or stronger. Warnings go to the session and are shown with the next response. An interrupted run
    /// continues the next time.
    pub async fn learn(&self) -> Result<u64, ResultError> {
        let mut all = LearningResult::default();
        loop {
            let some = self.learn_batch().await?;
            let is_complete = some.is_complete;
            all.merge(some);
            if is_complete {
                let redactor = &self.shared.redactor;
                let warnings = all.warnings.iter();
                let warnings = warnings.map(|it| redactor.text(it).into_owned());
                self.shared.session.warn(warnings);
                return Ok(all.changed);
            }
        }
    }

    /// Learns one batch, if something was executed in this session, for processes that end soon. Returns the
    /// warnings.
    pub async fn learn_from_session(&self) -> Vec<String> {
        let mut warnings = self.shared.session.take_warnings();
        if !self.shared.session.has_news.swap(false, Ordering::Relaxed) {
            return warnings;
        }
        match self.learn_batch().await {
            Ok(some) => warnings.extend(some.warnings),
            Err(error) => tracing::debug!(%error.message, "nothing was learned"),
        }
        warnings
    }

    /// Returns whether the store exists. Does not create it.
    pub async fn has_memory(&self) -> bool {
        match self.shared.store() {
            Some(store) => matches!(store.identity().await, Ok(Some(_))),
            None => false,
        }
    }

    /// Learns from everything and refreshes the graph in memory, for long-running processes. After that,
    /// usual next calls are known without the store.
    pub async fn catch_up(&self) {
        self.shared.session.has_news.store(false, Ordering::Relaxed);
        let learned = self.learn().await;
        let state = self.current_graph().await;
        if let Err(error) = learned.and(state.map(|_| 0)) {
            tracing::debug!(%error.message, "the graph is not up to date");
        }
    }

    async fn learn_batch(&self) -> Result<LearningResult, ResultError> {
        let Some(store) = self.shared.store() else {
            return Ok(LearningResult {
                is_complete: true,
                ..LearningResult::default()
            });
        };
        let mut result = self.learn_from_traces(store).await?;
        match self.compare_new_code(store).await {
            Ok(compared) => result.merge(compared),
            // New code is compared another time. What was learned from traces stays.
            Err(error) => tracing::debug!(%error.message, "new code was not compared"),
        }
        Ok(result)
    }

    async fn learn_from_traces(&self, store: &dyn Store) -> Result<LearningResult, ResultError> {
        let viewer = self.shared.viewer();
        let traces = store.unlearned(viewer, BATCH_SIZE).await;
        let traces = traces.map_err(|error| store_error(&error))?;
        let mut result = LearningResult::from_batch(traces.len());
        // The store begins when it is called, so that all traces of a batch share one wait for the disk.
        let mut learning = Vec::with_capacity(traces.len());
        for trace in &traces {
            let makers = self.find_makers(store, trace).await?;
            let seen = learn(trace, |id| self.can_be_related(id), &makers);
            learning.push(store.learn(viewer, &trace.id, seen));
        }
        for learned in learning {
            result.record(&learned.await.map_err(|error| store_error(&error))?);
        }
        Ok(result)
    }

    /// Returns the code and skills that made calls in an execution, by call. Unknown ones are left out: code
    /// that failed is not stored.
    async fn find_makers(&self, store: &dyn Store, trace: &Trace) -> Result<Makers, ResultError> {
        let within = trace.calls.iter().filter_map(|call| call.within);
        let within: BTreeSet<u32> = within.collect();
        let mut makers = Makers::default();
        // Each maker is read once, however often it was called.
        let mut known: HashMap<&str, Option<Arc<Maker>>> = HashMap::new();
        let direct = match (trace.mode, &trace.capability) {
            (Mode::Direct, Some(fqdn)) => Some((None, Some(fqdn.as_str()), "")),
            _ => None,
        };
        let called = within.into_iter().filter_map(|place| {
            let call = trace.calls.get(place as usize)?;
            let fqdn = call.code.as_ref().map(Fqdn::as_str);
            Some((Some(place), fqdn, call.capability.as_str()))
        });
        for (place, fqdn, id) in direct.into_iter().chain(called) {
            let maker = match known.get(fqdn.unwrap_or(id)) {
                Some(maker) => maker.clone(),
                None => {
                    let maker = match fqdn {
                        Some(fqdn) => self.code_maker(store, fqdn).await?,
                        None => self.skill_text(id).map(Maker::Skill),
                    };
                    let maker = maker.map(Arc::new);
                    known.insert(fqdn.unwrap_or(id), maker.clone());
                    maker
                }
            };
            if let Some(maker) = maker {
                makers.insert(place, maker);
            }
        }
        Ok(makers)
    }

    async fn code_maker(
        &self,
        store: &dyn Store,
        fqdn: &str,
    ) -> Result<Option<Maker>, ResultError> {
        let found = store.resolve(self.shared.viewer(), fqdn).await;
        let Resolved::Found(code, _) = found.map_err(|error| store_error(&error))? else {
            return Ok(None);
        };
        let Ok(sandbox) = self.shared.sandbox() else {
            return Ok(None);
        };
        match sandbox.read(&code.pattern.code).await {
            Ok(script) => Ok(Some(Maker::Code(script.mentions.clone()))),
            Err(error) => {
                tracing::debug!(%error, fqdn, "code was not read: it teaches no dependencies");
                Ok(None)
            }
        }
    }

    /// Returns the text of a skill's file.
    fn skill_text(&self, id: &str) -> Option<String> {
        let skill = self.directory.library()?.find(id)?;
        Some(skill.origin.source.text.clone())
    }

    async fn compare_new_code(&self, store: &dyn Store) -> Result<LearningResult, ResultError> {
        let viewer = self.shared.viewer();
        let new = store.unrelated(viewer, BATCH_SIZE).await;
        let new = new.map_err(|error| store_error(&error))?;
        let mut result = LearningResult::from_batch(new.len());
        for fqdn in &new {
            let seen = similar_code::observations_for(self, store, fqdn).await?;
            let related = store
                .relate(viewer, fqdn, seen, self.shared.timestamp())
                .await;
            result.record(&related.map_err(|error| store_error(&error))?);
        }
        Ok(result)
    }
}

/// The result of learning.
#[derive(Default)]
struct LearningResult {
    /// How many relations are new or stronger.
    changed: u64,
    /// Cycles of containment, as messages for the user.
    warnings: Vec<String>,
    /// Whether nothing is left to learn from.
    is_complete: bool,
}

impl LearningResult {
    /// The empty result of a batch with this many entries.
    fn from_batch(many: usize) -> Self {
        Self {
            is_complete: (many as u64) < BATCH_SIZE,
            ..Self::default()
        }
    }

    fn record(&mut self, learned: &Learned) {
        self.changed += learned.changed;
        for cycle in &learned.cycles {
            let warning = cycle_warning(cycle);
            tracing::warn!("{warning}");
            self.warnings.push(warning);
        }
    }

    fn merge(&mut self, other: Self) {
        self.changed += other.changed;
        self.warnings.extend(other.warnings);
        self.is_complete &= other.is_complete;
    }
}

/// Returns the message about a cycle of containment.
pub(super) fn cycle_warning(path: &[Node]) -> String {
    let names: Vec<_> = path.iter().map(Node::as_str).collect();
    format!("this contains itself: {}", names.join(" → "))
}
