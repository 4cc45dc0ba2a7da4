//! What a run of a skill would do, without doing it.

use std::collections::HashSet;

use serde_json::{Map, Value};

use capstan_core::Route;
use capstan_core::expr::{Expr, Scope};
use capstan_skill::render::{LevelShown, order};
use capstan_skill::{Leaf, Node, NodeKind, Plan, Runs};

use super::SkillPlans;

impl SkillPlans {
    /// What runs when, and which steps share a request: cards that prefer GraphQL leave together.
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

    /// The same with an input, if it is known as a whole: steps that it rules out are marked. What depends
    /// on the answers of steps stays open.
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

/// The paths of the leaves that cannot run with an input.
fn ruled_out<'a>(plan: &'a Plan, input: &Value) -> HashSet<&'a str> {
    let names = Map::from_iter([("input".to_owned(), input.clone())]);
    let scope = Scope::new(&Value::Null, &names);
    let mut skipped: Vec<bool> = Vec::with_capacity(plan.nodes.len());
    // Nodes come after those that they need.
    for node in &plan.nodes {
        let needs_skipped = node
            .needs
            .iter()
            .any(|need| skipped.get(*need) == Some(&true));
        let is_refused = decidable(node).is_some_and(|condition| !condition.holds(&scope));
        skipped.push(needs_skipped || is_refused);
    }
    let leaves = plan.nodes.iter().zip(skipped);
    leaves
        .filter(|(node, skipped)| *skipped && matches!(node.kind, NodeKind::Run(_)))
        .map(|(node, _)| node.path.as_str())
        .collect()
}

/// The condition of a node, if it depends on nothing but the input of the whole skill.
fn decidable(node: &Node) -> Option<&Expr> {
    let condition = node.condition.as_ref().filter(|_| node.scope == 0)?;
    let is_input = |path: String| path == "$input" || path.starts_with("$input.");
    let mut paths = condition.paths().into_iter();
    paths
        .all(|path| is_input(path.to_string()))
        .then_some(condition)
}
