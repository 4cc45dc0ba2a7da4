//! The demonstration's world: requests to it, and the objects in it.

use std::sync::LazyLock;

use github_sim::Sim;
use github_sim::world::{Viewer, World};
use serde_json::{Value, json};

/// Returns a fresh copy of the demonstration's world.
pub(crate) fn demo() -> World {
    static DEMO: LazyLock<World> = LazyLock::new(|| Sim::demo().world(|world| world.clone()));
    DEMO.clone()
}

/// Sends a request to the world.
pub(crate) fn execute(
    world: &mut World,
    document: &str,
    operation_name: Option<&str>,
    variables: &Value,
) -> Value {
    let viewer = Viewer::full(&world.default_viewer);
    let body =
        json!({ "query": document, "operationName": operation_name, "variables": variables });
    github_sim::graphql::execute(world, &viewer, &body).json
}

/// Node ids by the kind of object.
#[derive(Debug)]
pub(super) struct Ids {
    pub(super) repositories: Vec<String>,
    pub(super) issues: Vec<String>,
    pub(super) pulls: Vec<String>,
    pub(super) issues_and_pulls: Vec<String>,
    pub(super) labels: Vec<String>,
    pub(super) users: Vec<String>,
    pub(super) milestones: Vec<String>,
    pub(super) comments: Vec<String>,
    pub(super) reviews: Vec<String>,
    pub(super) threads: Vec<String>,
    pub(super) issue_types: Vec<String>,
    pub(super) all: Vec<String>,
}

/// Returns the ids of the demonstration's world.
pub(super) fn ids() -> &'static Ids {
    static IDS: LazyLock<Ids> = LazyLock::new(collect);
    &IDS
}

const EVERYTHING: &str = "{ repository(owner: \"acme\", name: \"rocket\") {
    id
    issues(first: 9) { nodes { id comments(first: 2) { nodes { id } } } }
    pullRequests(first: 9) { nodes { id
        reviews(first: 2) { nodes { id } }
        reviewThreads(first: 2) { nodes { id } }
    } }
    labels(first: 5) { nodes { id } }
    assignableUsers(first: 5) { nodes { id } }
    milestones(first: 3) { nodes { id } }
    issueTypes(first: 3) { nodes { id } }
} }";

fn collect() -> Ids {
    let answer = execute(&mut demo(), EVERYTHING, None, &json!({}));
    let repository = &answer["data"]["repository"];
    let of = |path: &[&str]| {
        let mut found = vec![repository];
        for key in path {
            found = found
                .into_iter()
                .flat_map(|value| value[key]["nodes"].as_array().into_iter().flatten())
                .collect();
        }
        let ids: Vec<String> = found
            .iter()
            .map(|value| value["id"].as_str().unwrap().to_owned())
            .collect();
        assert!(!ids.is_empty(), "{path:?}: {answer}");
        ids
    };
    let mut ids = Ids {
        repositories: of(&[]),
        issues: of(&["issues"]),
        pulls: of(&["pullRequests"]),
        issues_and_pulls: Vec::new(),
        labels: of(&["labels"]),
        users: of(&["assignableUsers"]),
        milestones: of(&["milestones"]),
        comments: of(&["issues", "comments"]),
        reviews: of(&["pullRequests", "reviews"]),
        threads: of(&["pullRequests", "reviewThreads"]),
        issue_types: of(&["issueTypes"]),
        all: Vec::new(),
    };
    ids.issues_and_pulls = [&ids.issues[..], &ids.pulls[..]].concat();
    ids.all = [
        &ids.issues_and_pulls[..],
        &ids.repositories,
        &ids.labels,
        &ids.users,
        &ids.milestones,
        &ids.comments,
        &ids.reviews,
        &ids.threads,
    ]
    .concat();
    ids
}
