//! Permissions, and the errors for missing ones.

use super::fixture::{ROCKET, id, issue, repo, run_as, world};
use github_sim::graphql::execute;
use github_sim::world::{NewIssue, Permission, Viewer, Visibility};
use serde_json::{Value, json};

const CLOSE: &str =
    "mutation($id: ID!) { it: closeIssue(input: {issueId: $id}) { issue { state } } }";

#[test]
fn readers_cannot_edit_other_peoples_issues() {
    let mut world = world();
    let id = id(&mut world, 1);
    let before = world.clone();
    let outcome = run_as(&mut world, "stranger", CLOSE, json!({ "id": id }));
    assert_eq!(
        outcome.json,
        json!({
            "data": { "it": null },
            "errors": [{
                "type": "FORBIDDEN",
                "path": ["it"],
                "locations": [{ "line": 1, "column": 26 }],
                "message": "stranger does not have the correct permissions to execute `CloseIssue`",
            }],
        })
    );
    assert!(!outcome.applied);
    assert_eq!(world, before);
}

#[test]
fn collaborators_with_triage_permission_can_edit_issues() {
    let mut world = world();
    let collaborators = &mut world.repositories[ROCKET.0].collaborators;
    collaborators.insert("stranger".to_owned(), Permission::Triage);
    let id = id(&mut world, 1);
    let outcome = run_as(&mut world, "stranger", CLOSE, json!({ "id": id }));
    assert_eq!(outcome.json["data"]["it"]["issue"]["state"], "CLOSED");
    assert!(outcome.applied);
}

#[test]
fn private_repositories_are_not_found_by_others() {
    let mut world = world();
    let id = id(&mut world, 1);
    world.repositories[ROCKET.0].visibility = Visibility::Private;
    let outcome = run_as(&mut world, "stranger", CLOSE, json!({ "id": id }));
    assert_eq!(outcome.json["errors"][0]["type"], "NOT_FOUND");
    let read = "{ repository(owner: \"acme\", name: \"rocket\") { id } }";
    let outcome = run_as(&mut world, "stranger", read, json!({}));
    assert_eq!(outcome.json["data"]["repository"], Value::Null);
    let outcome = run_as(&mut world, "mona", read, json!({}));
    assert_eq!(outcome.json["errors"], Value::Null);
}

#[test]
fn a_token_without_scope_is_refused_without_data_or_path() {
    let mut world = world();
    let id = id(&mut world, 1);
    let viewer = Viewer {
        login: "octocat".to_owned(),
        scopes: vec!["gist".to_owned()],
    };
    let body = json!({ "query": CLOSE, "variables": { "id": id } });
    let outcome = execute(&mut world, &viewer, &body);
    let answer = outcome.json.as_object().unwrap();
    assert!(!answer.contains_key("data"));
    let error = &outcome.json["errors"][0];
    assert_eq!(error["type"], "INSUFFICIENT_SCOPES");
    assert_eq!(error["path"], Value::Null);
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("requires one of the following scopes: ['public_repo']"),
        "{message}"
    );
    assert!(
        message.contains("has only been granted the: ['gist'] scopes"),
        "{message}"
    );
    assert!(world.issue_at(issue(1)).unwrap().is_open());
}

#[test]
fn archived_repositories_are_read_only() {
    let mut world = world();
    let id = id(&mut world, 1);
    world.repositories[ROCKET.0].archived = true;
    let outcome = run_as(&mut world, "octocat", CLOSE, json!({ "id": id }));
    assert_eq!(
        outcome.json["errors"][0]["message"],
        "Repository was archived so is read-only."
    );
}

#[test]
fn authors_without_triage_permission_can_edit_but_not_label() {
    let mut world = world();
    let new = NewIssue {
        title: "Mine".to_owned(),
        ..NewIssue::default()
    };
    let at = world
        .create_issue(&Viewer::full("stranger"), ROCKET, new)
        .unwrap();
    let id = id(&mut world, at.number);
    let label = repo(&mut world, "label(name: \"bug\") { id }")["label"]["id"].clone();
    let edit = "mutation($id: ID!, $label: ID!) {
        updateIssue(input: {id: $id, title: \"Still mine\", labelIds: [$label]}) { issue { title } } }";
    let outcome = run_as(
        &mut world,
        "stranger",
        edit,
        json!({ "id": id, "label": label }),
    );
    assert_eq!(
        outcome.json["data"]["updateIssue"]["issue"]["title"],
        "Still mine"
    );
    assert!(world.issue_at(at).unwrap().labels.is_empty());
}
