//! Sorts the steps of a plan into levels, for drawings. `capstan-engine/src/skill/run.rs` schedules without them.

use super::Plan;

impl Plan {
    /// Returns the indices of the leaves by level. The level of a leaf is the length of the longest chain of
    /// leaves that it waits for; all leaves of a level can start together.
    pub fn levels(&self) -> Vec<Vec<usize>> {
        let mut depth = vec![0_usize; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            // The result of a leaf is available one level later. Beginnings and ends of composites take no
            // time.
            let ready = node.after.iter().map(|before| {
                if self.is_leaf(*before) {
                    depth[*before] + 1
                } else {
                    depth[*before]
                }
            });
            depth[index] = ready.max().unwrap_or(0);
        }
        let mut levels: Vec<Vec<usize>> = Vec::new();
        for (index, ..) in self.leaves() {
            let level = depth[index];
            if levels.len() <= level {
                levels.resize(level + 1, Vec::new());
            }
            levels[level].push(index);
        }
        levels
    }

    fn is_leaf(&self, node: usize) -> bool {
        matches!(self.nodes[node].kind, super::NodeKind::Run(_))
    }
}
