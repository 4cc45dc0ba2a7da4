//! What can run at the same time.

use super::Plan;

impl Plan {
    /// The leaves by how many others each has to wait for, one after the other: what is in one level can
    /// leave together.
    pub fn levels(&self) -> Vec<Vec<usize>> {
        let mut depth = vec![0_usize; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            // What a leaf gives is there one level later; beginnings and ends take no time.
            let ready = node.after.iter().map(|before| match self.is_leaf(*before) {
                true => depth[*before] + 1,
                false => depth[*before],
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
