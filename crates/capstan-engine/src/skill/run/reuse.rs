//! Reuses results: of steps that an earlier attempt finished, and of the same call earlier in this run.

use serde_json::{Map, Value};

use capstan_skill::Leaf;

use super::{NodeState, PlanRun};

/// The name of a skill, and its input as JSON.
pub(super) type CacheKey = (String, String);

/// A result that can be reused.
pub(super) enum CacheEntry {
    Ready(Value),
    /// The result is not there yet; these nodes wait for it.
    Pending(Vec<usize>),
}

impl PlanRun<'_> {
    /// Sets the output of a step if an earlier attempt finished it. Returns whether it did.
    pub(super) fn reuse_journaled(
        &mut self,
        index: usize,
        leaf: &Leaf,
        input: &Map<String, Value>,
    ) -> bool {
        let path = self.plan.nodes[index].path.as_str();
        let known = self
            .journal
            .and_then(|journal| journal.earlier_output(path));
        let Some(output) = known.cloned() else {
            return false;
        };
        if leaf.cached && !leaf.writes() {
            let ready = CacheEntry::Ready(output.clone());
            let previous = self.cache.insert(cache_key(leaf, input), ready);
            self.serve_waiting(previous, &output);
        }
        self.set_output(index, output);
        true
    }

    /// Reuses the result of the same call in this run, or waits for it. Returns `false` if there is none; then the
    /// step must run, and its result will be reused.
    pub(super) fn reuse_cached(
        &mut self,
        index: usize,
        leaf: &Leaf,
        input: &Map<String, Value>,
    ) -> bool {
        if !leaf.cached || leaf.writes() {
            return false;
        }
        match self.cache.get_mut(&cache_key(leaf, input)) {
            Some(CacheEntry::Ready(output)) => {
                let output = output.clone();
                self.record_reused(index, &output);
                self.set_output(index, output);
                true
            }
            Some(CacheEntry::Pending(others)) => {
                others.push(index);
                self.states[index] = NodeState::Running;
                true
            }
            None => {
                let key = cache_key(leaf, input);
                self.cache
                    .insert(key.clone(), CacheEntry::Pending(Vec::new()));
                self.keys[index] = Some(key);
                false
            }
        }
    }

    /// Sets the output of the nodes that waited for it. They run the same skill.
    pub(super) fn serve_waiting(&mut self, entry: Option<CacheEntry>, output: &Value) {
        let Some(CacheEntry::Pending(others)) = entry else {
            return;
        };
        for other in others {
            self.record_reused(other, output);
            self.set_output(other, output.clone());
        }
    }

    /// Journals a step that reuses the output of another one.
    pub(super) fn record_reused(&self, index: usize, output: &Value) {
        if let Some(journal) = self.journal {
            journal.record_reused(&self.plan.nodes[index].path, output);
        }
    }
}

fn cache_key(leaf: &Leaf, input: &Map<String, Value>) -> CacheKey {
    let input = Value::Object(input.clone()).to_string();
    (leaf.skill.clone(), input)
}
