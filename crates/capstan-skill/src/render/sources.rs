//! Finds the leaves that a value comes from, across the boundaries of composites.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use capstan_core::expr::{Path, Root, Segment};

use crate::{Given, NodeKind, Plan};

/// Leaves, each with the field of its output.
type LeafFields = Rc<BTreeSet<(usize, String)>>;

pub(super) struct Sources<'a> {
    plan: &'a Plan,
    /// The node at which each scope begins.
    begins: HashMap<usize, usize>,
    /// The last node of each step, by scope and name.
    steps: HashMap<(usize, &'a str), usize>,
    known: HashMap<(usize, String), LeafFields>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        let mut begins = HashMap::new();
        let mut steps = HashMap::new();
        for (index, node) in plan.nodes.iter().enumerate() {
            match node.kind {
                NodeKind::Begin(scope) => {
                    begins.insert(scope, index);
                }
                NodeKind::Run(_) | NodeKind::End(_) => {
                    steps.insert((node.scope, node.name.as_str()), index);
                }
            }
        }
        Self {
            plan,
            begins,
            steps,
            known: HashMap::new(),
        }
    }

    /// Returns the leaves and fields that a path refers to. Callers ask in the order of the nodes, which
    /// keeps the recursion shallow.
    pub(super) fn find(&mut self, scope: usize, path: &Path) -> LeafFields {
        let key = (scope, path.to_string());
        if let Some(found) = self.known.get(&key) {
            return Rc::clone(found);
        }
        let found = Rc::new(self.look(scope, path));
        self.known.insert(key, Rc::clone(&found));
        found
    }

    fn look(&mut self, scope: usize, path: &Path) -> BTreeSet<(usize, String)> {
        let Root::Variable(root) = &path.root else {
            return BTreeSet::new();
        };
        let plan = self.plan;
        if root == "input" {
            return match self.begins.get(&scope) {
                Some(begin) => {
                    let begin = &plan.nodes[*begin];
                    self.through(begin.scope, &begin.inputs, &path.segments)
                }
                None => BTreeSet::new(),
            };
        }
        let Some((step, rest)) = self.step(scope, root, &path.segments) else {
            return BTreeSet::new();
        };
        match plan.nodes[step].kind {
            NodeKind::End(inner) => self.through(inner, &plan.scopes[inner].outputs, rest),
            NodeKind::Run(_) | NodeKind::Begin(_) => BTreeSet::from([(step, field(rest))]),
        }
    }

    /// Returns the step that a path begins with, and the segments after its `output`. Step names may contain
    /// dots, so the longest match wins.
    fn step<'p>(
        &self,
        scope: usize,
        root: &str,
        segments: &'p [Segment],
    ) -> Option<(usize, &'p [Segment])> {
        let mut name = root.to_owned();
        let mut best = None;
        for taken in 0..=segments.len() {
            if let Some(step) = self.steps.get(&(scope, name.as_str())) {
                best = Some((*step, taken));
            }
            match segments.get(taken) {
                Some(Segment::Key(key)) => name = format!("{name}.{key}"),
                _ => break,
            }
        }
        let (step, taken) = best?;
        Some((step, segments.get(taken + 1..).unwrap_or_default()))
    }

    /// Returns the sources of one field, or of all fields.
    fn through(
        &mut self,
        scope: usize,
        fields: &[(String, Given)],
        segments: &[Segment],
    ) -> BTreeSet<(usize, String)> {
        let wanted = match segments.first() {
            Some(Segment::Key(name)) => Some(name),
            _ => None,
        };
        let mut found = BTreeSet::new();
        for (name, given) in fields {
            if wanted.is_none_or(|wanted| wanted == name) {
                for path in given.paths() {
                    found.extend(self.find(scope, path).iter().cloned());
                }
            }
        }
        found
    }
}

fn field(segments: &[Segment]) -> String {
    if segments.is_empty() {
        return "output".to_owned();
    }
    let path = Path {
        root: Root::This,
        segments: segments.to_vec(),
    };
    path.to_string()
}
