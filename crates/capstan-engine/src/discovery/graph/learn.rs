//! Learns from what was executed, off the way of every answer.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use capstan_core::ResultError;
use capstan_core::code::{Fqdn, Mode, Node, Trace};
use capstan_core::port::{Learned, Resolved, Store};
use capstan_graph::{Maker, Makers, learn};

use super::common;
use crate::capability::store_error;
use crate::discovery::Discovery;

/// How many are learned from in one go: somebody may wait for the store meanwhile.
const AT_ONCE: u64 = 100;

impl Discovery {
    /// Learns from everything that was executed and not learned from yet, and compares new code with
    /// what there is. Says how many relations are new or stronger; what somebody should look at is told with
    /// the next answer. What ends before it is over is gone on with the next time.
    pub async fn learn(&self) -> Result<u64, ResultError> {
        let mut all = Lesson::default();
        loop {
            let some = self.learn_some().await?;
            let is_over = some.is_over;
            all.add(some);
            if is_over {
                let redactor = &self.shared.redactor;
                let warnings = all.warnings.iter();
                let warnings = warnings.map(|it| redactor.text(it).into_owned());
                self.shared.session.warn(warnings);
                return Ok(all.changed);
            }
        }
    }

    /// The same, for those who cannot stay long: a part of it, and only if something was executed here.
    /// Says what somebody should look at.
    pub async fn learn_from_this(&self) -> Vec<String> {
        let mut warnings = self.shared.session.take_warnings();
        if !self.shared.session.has_news.swap(false, Ordering::Relaxed) {
            return warnings;
        }
        match self.learn_some().await {
            Ok(some) => warnings.extend(some.warnings),
            Err(error) => tracing::debug!(%error.message, "nothing was learned"),
        }
        warnings
    }

    /// Whether anything is remembered. Nothing is made to find out.
    pub async fn remembers(&self) -> bool {
        match self.shared.store() {
            Some(store) => matches!(store.identity().await, Ok(Some(_))),
            None => false,
        }
    }

    /// Learns everything that there is to learn and brings the graph in memory up to date, for those who
    /// stay: what usually follows is then known without asking the store.
    pub async fn catch_up(&self) {
        self.shared.session.has_news.store(false, Ordering::Relaxed);
        let learned = self.learn().await;
        let held = self.atlas().await;
        if let Err(error) = learned.and(held.map(|_| 0)) {
            tracing::debug!(%error.message, "the graph is not up to date");
        }
    }

    async fn learn_some(&self) -> Result<Lesson, ResultError> {
        let Some(store) = self.shared.store() else {
            return Ok(Lesson {
                is_over: true,
                ..Lesson::default()
            });
        };
        let mut lesson = self.learn_from_traces(store).await?;
        match self.compare_new_code(store).await {
            Ok(compared) => lesson.add(compared),
            // It is compared another time; what was executed is learned from all the same.
            Err(error) => tracing::debug!(%error.message, "new code was not compared"),
        }
        Ok(lesson)
    }

    async fn learn_from_traces(&self, store: &dyn Store) -> Result<Lesson, ResultError> {
        let viewer = self.shared.viewer();
        let traces = store.unlearned(viewer, AT_ONCE).await;
        let traces = traces.map_err(|error| store_error(&error))?;
        let mut lesson = Lesson::of(traces.len());
        for trace in &traces {
            let makers = self.makers_of(store, trace).await?;
            let seen = learn(trace, |id| self.can_be_related(id), &makers);
            let learned = store.learn(viewer, &trace.id, seen).await;
            lesson.take(&learned.map_err(|error| store_error(&error))?);
        }
        Ok(lesson)
    }

    /// The code and skills that made calls in an execution. What is not known any more is left out: code that failed
    /// is not remembered.
    async fn makers_of(&self, store: &dyn Store, trace: &Trace) -> Result<Makers, ResultError> {
        let within = trace.calls.iter().filter_map(|call| call.within);
        let within: BTreeSet<u32> = within.collect();
        let mut makers = Makers::default();
        // What was called a thousand times is read once.
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

    /// The file of a skill.
    fn skill_text(&self, id: &str) -> Option<String> {
        let skill = self.directory.library()?.named(id)?;
        Some(skill.origin.source.text.clone())
    }

    async fn compare_new_code(&self, store: &dyn Store) -> Result<Lesson, ResultError> {
        let viewer = self.shared.viewer();
        let new = store.unrelated(viewer, AT_ONCE).await;
        let new = new.map_err(|error| store_error(&error))?;
        let mut lesson = Lesson::of(new.len());
        for fqdn in &new {
            let seen = common::with_others(self, store, fqdn).await?;
            let related = store
                .relate(viewer, fqdn, seen, self.shared.timestamp())
                .await;
            lesson.take(&related.map_err(|error| store_error(&error))?);
        }
        Ok(lesson)
    }
}

/// What came of learning.
#[derive(Default)]
struct Lesson {
    /// How many relations are new or stronger.
    changed: u64,
    /// What contains itself is a paradox that somebody should look at.
    warnings: Vec<String>,
    /// Nothing is left to learn from.
    is_over: bool,
}

impl Lesson {
    /// From so many, before anything was taken over from them.
    fn of(many: usize) -> Self {
        Self {
            is_over: (many as u64) < AT_ONCE,
            ..Self::default()
        }
    }

    fn take(&mut self, learned: &Learned) {
        self.changed += learned.changed;
        for cycle in &learned.cycles {
            let warning = contains_itself(cycle);
            tracing::warn!("{warning}");
            self.warnings.push(warning);
        }
    }

    fn add(&mut self, other: Self) {
        self.changed += other.changed;
        self.warnings.extend(other.warnings);
        self.is_over &= other.is_over;
    }
}

/// What contains itself, in words.
pub(super) fn contains_itself(path: &[Node]) -> String {
    let names: Vec<_> = path.iter().map(Node::as_str).collect();
    format!("this contains itself: {}", names.join(" → "))
}
