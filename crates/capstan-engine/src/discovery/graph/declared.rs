//! Relations that are declared in the text of skills and code, known before anything was run.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Fqdn, Node};
use capstan_core::port::CodeSummary;
use capstan_skill::{NodeKind, Plan, Runs};

use crate::discovery::Discovery;

/// Which skills are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkillSelection {
    All,
    /// Those that may contain code.
    WithCode,
}

/// Returns the relations that each skill declares: what it contains, and which of its parts depend on others.
pub(super) async fn edges_of_skills(
    discovery: &Discovery,
    selection: SkillSelection,
) -> Vec<(Node, Vec<Edge>)> {
    let Some(library) = discovery.directory.library() else {
        return Vec::new();
    };
    let mut declared = Vec::new();
    for id in library.ids() {
        let Some(skill) = library.newest(id) else {
            continue;
        };
        if selection == SkillSelection::WithCode && !discovery.plans.may_have_code(library, skill) {
            continue;
        }
        // An invalid skill is not run and declares nothing.
        let edges = match discovery.plans.plan_anew(library, skill).await {
            Ok(plan) if discovery.plans.bad_lock().is_none() => {
                edges_of_plan(discovery, &plan).await
            }
            _ => Vec::new(),
        };
        declared.push((Node::Named(id.to_owned()), edges));
    }
    declared
}

async fn edges_of_plan(discovery: &Discovery, plan: &Plan) -> Vec<Edge> {
    let own = Node::Named(plan.id.to_string());
    let mut parts: Vec<Option<Node>> = Vec::with_capacity(plan.nodes.len());
    for node in &plan.nodes {
        let name = match &node.kind {
            NodeKind::Begin(scope) => Some(plan.scopes[*scope].skill.as_str()),
            // A skill without sub-skills contains what it runs.
            NodeKind::Run(leaf) if plan.is_atomic() => match &leaf.runs {
                Runs::Card(id) | Runs::Tool(id) | Runs::Capability(id) => Some(id.as_str()),
                Runs::Code(_) => None,
            },
            NodeKind::Run(leaf) => Some(leaf.skill.as_str()),
            NodeKind::End(_) => None,
        };
        let part = match name {
            // Nodes of inner scopes belong to sub-skills.
            _ if node.scope != 0 => None,
            // Its id is its only name, so no server has to be started to resolve it.
            Some(name) if discovery.can_be_related(name) && Fqdn::parse(name).is_err() => {
                Some(Node::Named(name.to_owned()))
            }
            Some(name) => discovery.node(name).await.ok(),
            None => None,
        };
        parts.push(part.filter(|part| *part != own));
    }
    let mut edges = Vec::new();
    for (node, part) in plan.nodes.iter().zip(&parts) {
        let Some(part) = part else { continue };
        edges.push(template_edge(own.clone(), part.clone(), EdgeKind::Contains));
        for needed in &node.needs {
            if let Some(Some(producer)) = parts.get(*needed)
                && producer != part
            {
                let edge = template_edge(part.clone(), producer.clone(), EdgeKind::Dependency);
                edges.push(edge);
            }
        }
    }
    edges
}

/// Returns the relations that code declares by its calls.
pub(super) fn edges_of_code(
    discovery: &Discovery,
    code: &CodeSummary,
    named: impl Fn(&str) -> Option<Fqdn>,
) -> Vec<Edge> {
    let own = Node::Code(code.record.fqdn.clone());
    let called = code.calls.iter().filter_map(|name| {
        if discovery.can_be_related(name) {
            Some(Node::Named(name.clone()))
        } else {
            named(name).map(Node::Code)
        }
    });
    called
        .filter(|called| *called != own)
        .map(|called| template_edge(own.clone(), called, EdgeKind::Contains))
        .collect()
}

fn template_edge(from: Node, to: Node, kind: EdgeKind) -> Edge {
    Edge {
        from,
        to,
        kind,
        source: EdgeSource::Template,
        observed: 1,
        created_at: 0,
        last_observed: 0,
    }
}
