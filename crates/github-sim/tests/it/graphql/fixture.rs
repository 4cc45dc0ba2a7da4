//! A small world and helpers to query it.

use github_sim::graphql::{GraphqlOutcome, execute};
use github_sim::world::{
    ChangeKind, ChangedFile, CheckConclusion, CommitStatus, IssueRef, NewIssue, NewLabel,
    NewPullRequest, NewReview, NewReviewComment, RepoId, ReviewEvent, Side, Viewer, World,
};
use serde_json::{Value, json};

pub(super) const ROCKET: RepoId = RepoId(0);

/// Creates `acme/rocket` with issues 1 to 5 and pull requests 6 and 7. `octocat` is its administrator, `hubot` and
/// `mona` are members, `stranger` is not.
pub(super) fn world() -> World {
    let mut world = World::empty();
    world.add_user("hubot", Some("Hubot"));
    world.add_user("mona", None);
    world.add_user("stranger", None);
    world.add_user("gone", None);
    world.add_organization("acme", Some("Acme"), &["octocat", "hubot", "mona"]);
    world.add_issue_type("acme", "Bug", "RED");
    world.add_repository("acme", "rocket");
    let me = Viewer::full("octocat");
    let bug = world.add_label(ROCKET, "bug", "d73a4a", "Something isn't working");
    world.add_label(ROCKET, "help wanted", "008672", "");
    world
        .create_milestone(&me, ROCKET, "v1.0", None, None)
        .unwrap();
    for number in 1..=5 {
        let author = if number == 4 { "gone" } else { "octocat" };
        let new = NewIssue {
            title: format!("Issue {number}"),
            body: format!("Body {number} — ünïcödé 🚀"),
            labels: vec![bug],
            assignees: vec!["hubot".to_owned()],
            milestone: Some(1),
            issue_type: None,
        };
        let new = if number == 1 {
            new
        } else {
            NewIssue {
                title: new.title,
                body: new.body,
                ..NewIssue::default()
            }
        };
        world
            .create_issue(&Viewer::full(author), ROCKET, new)
            .unwrap();
    }
    world.users["gone"].deleted = true;
    for body in ["First!", "Second"] {
        world
            .add_comment(&Viewer::full("mona"), issue(1), body)
            .unwrap();
    }
    pull(&mut world, "engine", "Tune the engine", "Fixes #2");
    pull(&mut world, "fuel", "Measure fuel", "");
    let head = world
        .issue_at(issue(6))
        .unwrap()
        .pull
        .clone()
        .unwrap()
        .head_sha;
    world.add_check_run(
        ROCKET,
        &head,
        Some("CI"),
        "build",
        Some(CheckConclusion::Success),
    );
    world.add_check_run(
        ROCKET,
        &head,
        Some("CI"),
        "test",
        Some(CheckConclusion::Failure),
    );
    world.add_status(
        ROCKET,
        &head,
        "deploy/preview",
        CommitStatus::Pending,
        "Waiting",
    );
    let review = NewReview {
        body: "Looks odd".to_owned(),
        event: Some(ReviewEvent::RequestChanges),
        comments: vec![NewReviewComment {
            path: "src/engine.rs".to_owned(),
            line: Some(3),
            start_line: None,
            side: Side::Right,
            body: "Why 3?".to_owned(),
        }],
        commit: None,
    };
    world
        .add_review(&Viewer::full("mona"), issue(6), review)
        .unwrap();
    world.add_release(ROCKET, "v0.1.0", "First", "octocat", false);
    world.add_release(ROCKET, "v0.2.0-rc1", "Second", "octocat", true);
    world
}

fn pull(world: &mut World, branch: &str, title: &str, body: &str) {
    let files = vec![ChangedFile {
        path: format!("src/{branch}.rs"),
        change: ChangeKind::Modified,
        additions: 10,
        deletions: 4,
    }];
    world.push_commit(
        ROCKET,
        branch,
        "hubot",
        &format!("{title}\n\nDetails"),
        files,
    );
    let new = NewPullRequest {
        title: title.to_owned(),
        body: body.to_owned(),
        head: branch.to_owned(),
        base: "main".to_owned(),
        ..NewPullRequest::default()
    };
    world
        .create_pull_request(&Viewer::full("hubot"), ROCKET, new)
        .unwrap();
}

pub(super) fn issue(number: u64) -> IssueRef {
    IssueRef {
        repo: ROCKET,
        number,
    }
}

/// Adds `count` labels, to have several pages.
pub(super) fn many_labels(world: &mut World, count: usize) {
    let me = Viewer::full("octocat");
    for index in 0..count {
        let label = NewLabel {
            name: Some(format!("label-{index:03}")),
            color: Some("ededed".to_owned()),
            description: None,
        };
        world.create_label(&me, ROCKET, label).unwrap();
    }
}

pub(super) fn run_as(
    world: &mut World,
    login: &str,
    query: &str,
    variables: Value,
) -> GraphqlOutcome {
    let mut body = json!({ "query": query });
    body["variables"] = variables;
    execute(world, &Viewer::full(login), &body)
}

/// Runs a query that must succeed and returns its data.
#[track_caller]
pub(super) fn data(world: &mut World, query: &str, variables: Value) -> Value {
    let outcome = run_as(world, "octocat", query, variables);
    assert_eq!(outcome.json["errors"], Value::Null, "{query}");
    outcome.json["data"].clone()
}

/// Runs a query on the repository that must succeed and returns the repository's data.
#[track_caller]
pub(super) fn repo(world: &mut World, selection: &str) -> Value {
    let query = format!(r#"{{ repository(owner: "acme", name: "rocket") {{ {selection} }} }}"#);
    data(world, &query, json!({}))["repository"].clone()
}

/// Runs a request that must fail and returns its errors.
#[track_caller]
pub(super) fn errors(world: &mut World, query: &str, variables: Value) -> Value {
    let outcome = run_as(world, "octocat", query, variables);
    assert!(outcome.json["errors"].is_array(), "{}", outcome.json);
    assert!(!outcome.applied);
    outcome.json["errors"].clone()
}

/// Returns the node id of an issue or pull request.
pub(super) fn id(world: &mut World, number: u64) -> String {
    let found = repo(
        world,
        &format!("issueOrPullRequest(number: {number}) {{ ... on Node {{ id }} }}"),
    );
    found["issueOrPullRequest"]["id"]
        .as_str()
        .unwrap()
        .to_owned()
}
