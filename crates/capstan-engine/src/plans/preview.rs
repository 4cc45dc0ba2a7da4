//! Previews a run of a skill.

use std::collections::HashSet;

use serde_json::{Map, Value};

use capstan_core::Route;
use capstan_core::expr::{Expr, Scope};
use capstan_skill::render::{LevelShown, order};
use capstan_skill::{Leaf, Node, NodeKind, Plan, Runs};

use super::SkillPlans;

impl SkillPlans {
    /// Returns the steps of a plan level by level, and which of them share a request: cards that prefer GraphQL are
    /// sent together.
    pub fn skill_order(&self, plan: &Plan) -> Vec<LevelShown> {
        let fuses = |leaf: &Leaf| match &leaf.runs {
            Runs::Card(name) => {
                let card = self.shared.catalog.get(name);
                card.is_ok_and(|card| card.route_order().first() == Some(&Route::Graphql))
            }
            Runs::Tool(_) | Runs::Capability(_) | Runs::Code(_) => false,
        };
        order(plan, &fuses)
    }

    /// Like [`Self::skill_order`], with the steps marked that the input rules out. Pass the input only if it is
    /// complete. Conditions on the outputs of steps stay open.
    pub(crate) fn skill_preview(&self, plan: &Plan, input: Option<&Value>) -> Vec<LevelShown> {
        let ruled_out = input
            .map(|input| ruled_out(plan, input))
            .unwrap_or_default();
        let mut levels = self.skill_order(plan);
        for level in &mut levels {
            for step in &mut level.steps {
                step.skipped = ruled_out.contains(step.step.as_str());
            }
            for request in &mut level.requests {
                request.retain(|step| !ruled_out.contains(step.as_str()));
            }
            level.requests.retain(|request| !request.is_empty());
        }
        levels
    }
}

/// Returns the paths of the leaves that do not run with this input.
fn ruled_out<'a>(plan: &'a Plan, input: &Value) -> HashSet<&'a str> {
    let names = Map::from_iter([("input".to_owned(), input.clone())]);
    let scope = Scope::new(&Value::Null, &names);
    let mut skipped: Vec<bool> = Vec::with_capacity(plan.nodes.len());
    // Nodes come after the nodes that they need.
    for node in &plan.nodes {
        let needs_skipped = node
            .needs
            .iter()
            .any(|need| skipped.get(*need) == Some(&true));
        let is_refused = input_condition(node).is_some_and(|condition| !condition.holds(&scope));
        skipped.push(needs_skipped || is_refused);
    }
    let leaves = plan.nodes.iter().zip(skipped);
    leaves
        .filter(|(node, skipped)| *skipped && matches!(node.kind, NodeKind::Run(_)))
        .map(|(node, _)| node.path.as_str())
        .collect()
}

/// Returns the condition of a node, if it depends only on the input of the whole skill.
fn input_condition(node: &Node) -> Option<&Expr> {
    if node.scope != 0 {
        return None;
    }
    let condition = node.condition.as_ref()?;
    let is_input = |path: String| path == "$input" || path.starts_with("$input.");
    let mut paths = condition.paths().into_iter();
    paths
        .all(|path| is_input(path.to_string()))
        .then_some(condition)
}
