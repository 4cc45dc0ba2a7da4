//! What would contain itself.

use std::collections::{HashMap, VecDeque};

use capstan_core::code::{EdgeKind, Node};

use crate::graph::Graph;
use crate::names::Slot;

impl Graph {
    /// The cycle that closes if one node contains the other, whether the graph has that edge yet or not:
    /// from the first over the second back to the first. The shortest one, then the first by name.
    pub fn contains_cycle(&self, from: &Node, to: &Node) -> Option<Vec<Node>> {
        if from == to {
            return Some(vec![from.clone(), to.clone()]);
        }
        let (first, second) = (self.names.find(from)?, self.names.find(to)?);
        let steps = self.steps_to(first, second)?;
        let mut cycle = vec![from.clone(), to.clone()];
        let mut here = second;
        for left in (0..steps[&second]).rev() {
            let nearer = |slot: &Slot| steps.get(slot) == Some(&left);
            let parts = self.parts(here).filter(nearer);
            here = parts.min_by_key(|slot| self.names.node(*slot))?;
            cycle.push(self.names.node(here).clone());
        }
        Some(cycle)
    }

    /// How many edges it is to the goal from what is no farther than the start.
    fn steps_to(&self, goal: Slot, start: Slot) -> Option<HashMap<Slot, u32>> {
        let mut steps = HashMap::from([(goal, 0)]);
        let mut queue = VecDeque::from([goal]);
        while let Some(slot) = queue.pop_front() {
            let next = steps[&slot] + 1;
            for source in self.sources(slot) {
                if source.kind == EdgeKind::Contains && !steps.contains_key(&source.from) {
                    steps.insert(source.from, next);
                    queue.push_back(source.from);
                }
            }
            if steps.contains_key(&start) {
                return Some(steps);
            }
        }
        None
    }

    fn parts(&self, slot: Slot) -> impl Iterator<Item = Slot> {
        let contained = self.links(slot).iter();
        contained
            .filter(|link| link.bond.kind == EdgeKind::Contains)
            .map(|link| link.to)
    }
}
