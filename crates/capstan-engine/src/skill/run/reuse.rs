//! Results that serve again: of steps that were done before a run was resumed, and of the same that was asked
//! before in this run.

use serde_json::{Map, Value};

use capstan_skill::Leaf;

use super::{NodeState, Run};

/// A skill and its input.
pub(super) type Key = (String, String);

pub(super) enum Cached {
    There(Value),
    Expected(Vec<usize>),
}

impl Run<'_> {
    /// Whether the run was over with a step before it was resumed.
    pub(super) fn was_done_before(
        &mut self,
        index: usize,
        leaf: &Leaf,
        input: &Map<String, Value>,
    ) -> bool {
        let path = self.plan.nodes[index].path.as_str();
        let known = self.journal.and_then(|journal| journal.known(path));
        let Some(output) = known.cloned() else {
            return false;
        };
        if leaf.cached && !leaf.writes() {
            let kept = Cached::There(output.clone());
            let expected = self.cache.insert(key(leaf, input), kept);
            self.give_to_all(expected, &output);
        }
        self.give(index, output);
        true
    }

    /// Whether the same was asked in this run, and may serve again.
    pub(super) fn is_known_already(
        &mut self,
        index: usize,
        leaf: &Leaf,
        input: &Map<String, Value>,
    ) -> bool {
        if !leaf.cached || leaf.writes() {
            return false;
        }
        match self.cache.get_mut(&key(leaf, input)) {
            Some(Cached::There(output)) => {
                let output = output.clone();
                self.served(index, &output);
                self.give(index, output);
                true
            }
            Some(Cached::Expected(others)) => {
                others.push(index);
                self.states[index] = NodeState::UnderWay;
                true
            }
            None => {
                let key = key(leaf, input);
                self.cache.insert(key.clone(), Cached::Expected(Vec::new()));
                self.keys[index] = Some(key);
                false
            }
        }
    }

    /// To those who waited for it, each of which is the same skill.
    pub(super) fn give_to_all(&mut self, expected: Option<Cached>, output: &Value) {
        let Some(Cached::Expected(others)) = expected else {
            return;
        };
        for other in others {
            self.served(other, output);
            self.give(other, output.clone());
        }
    }

    /// A step that another one was run for.
    pub(super) fn served(&self, index: usize, output: &Value) {
        if let Some(journal) = self.journal {
            journal.served(&self.plan.nodes[index].path, output);
        }
    }
}

fn key(leaf: &Leaf, input: &Map<String, Value>) -> Key {
    let input = Value::Object(input.clone()).to_string();
    (leaf.skill.clone(), input)
}
