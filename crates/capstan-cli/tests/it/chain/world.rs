//! What there is in the demo's world, and what of it chains can change.

use std::collections::{BTreeMap, BTreeSet};

use github_sim::Sim;
use github_sim::world::{IssueRef, Located, World};

/// The numbers of the issues of `acme/rocket` that are open.
pub(super) fn open_issues(sim: &Sim) -> Vec<u64> {
    sim.world(|world| {
        let repo = world.repo(world.find_repo("acme", "rocket").unwrap());
        let issues = repo.unwrap().issues.iter();
        issues
            .filter(|(_, issue)| !issue.is_pull() && issue.is_open())
            .map(|(number, _)| *number)
            .collect()
    })
}

/// The node id of an issue of `acme/rocket`.
pub(super) fn node_id(sim: &Sim, number: u64) -> String {
    sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        world.node_id(&Located::Issue(IssueRef { repo, number }))
    })
    .unwrap()
}

/// How many comments of this text an issue has.
pub(super) fn comments_saying(sim: &Sim, number: u64, text: &str) -> usize {
    let portrait = portrait(sim);
    let comments = &portrait[&number].comments;
    comments.iter().filter(|body| *body == text).count()
}

/// Whether an issue is closed.
pub(super) fn is_closed(sim: &Sim, number: u64) -> bool {
    portrait(sim)[&number].state.starts_with("Closed")
}

/// What chains can change about an issue, without times and numbers that count up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Portrait {
    pub(super) title: String,
    pub(super) body: String,
    pub(super) state: String,
    pub(super) labels: Vec<String>,
    pub(super) assignees: Vec<String>,
    pub(super) milestone: Option<u64>,
    pub(super) comments: Vec<String>,
}

/// By number.
pub(super) type Portraits = BTreeMap<u64, Portrait>;

/// All issues and pull requests of `acme/rocket`.
pub(super) fn portrait(sim: &Sim) -> Portraits {
    sim.world(|world| {
        let repo = world.repo(world.find_repo("acme", "rocket").unwrap());
        let repo = repo.unwrap();
        let issues = repo.issues.iter();
        issues
            .map(|(number, issue)| {
                let mut labels: Vec<_> = repo
                    .labels_of(issue)
                    .map(|label| label.name.clone())
                    .collect();
                labels.sort();
                let mut assignees = issue.assignees.clone();
                assignees.sort();
                let comments = issue.comments.iter();
                let portrait = Portrait {
                    title: issue.title.clone(),
                    body: issue.body.clone(),
                    state: format!("{:?} {:?}", issue.state, issue.state_reason),
                    labels,
                    assignees,
                    milestone: issue.milestone,
                    comments: comments.map(|comment| comment.body.clone()).collect(),
                };
                (*number, portrait)
            })
            .collect()
    })
}

/// Where two worlds differ, field by field.
pub(super) fn differences(left: &Portraits, right: &Portraits) -> Vec<String> {
    let fields = |portraits: &Portraits| -> BTreeMap<String, String> {
        let all = portraits.iter();
        all.flat_map(|(number, it)| {
            [
                ("title", format!("{:?}", it.title)),
                ("body", format!("{:?}", it.body)),
                ("state", it.state.clone()),
                ("labels", format!("{:?}", it.labels)),
                ("assignees", format!("{:?}", it.assignees)),
                ("milestone", format!("{:?}", it.milestone)),
                ("comments", format!("{:?}", it.comments)),
            ]
            .map(|(name, value)| (format!("{number}.{name}"), value))
        })
        .collect()
    };
    let (left, right) = (fields(left), fields(right));
    let names: BTreeSet<_> = left.keys().chain(right.keys()).collect();
    let differ = names
        .into_iter()
        .filter(|name| left.get(*name) != right.get(*name));
    differ
        .map(|name| format!("{name} is {:?} and {:?}", left.get(name), right.get(name)))
        .collect()
}

/// The demo's world, to start from again.
pub(super) fn demo_world() -> World {
    Sim::demo().world(|world| world.clone())
}
