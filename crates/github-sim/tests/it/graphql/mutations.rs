//! Each mutation changes the world and returns the changed data. A refused mutation changes nothing.

use super::fixture::{ROCKET, id, issue, repo, run_as, world};
use github_sim::world::{
    Issue, IssueState, Mergeable, PullRequest, ReviewState, StateReason, World,
};
use serde_json::{Value, json};

/// Runs `mutation { it: NAME(input: INPUT) { SELECTION } }`, which must succeed, and returns `it`.
#[track_caller]
fn mutate(world: &mut World, login: &str, name: &str, input: Value, selection: &str) -> Value {
    let outcome = send(world, login, name, input, selection);
    assert_eq!(outcome.0["errors"], Value::Null, "{name}");
    assert!(outcome.1, "{name} changed nothing");
    assert_eq!(outcome.0["data"]["it"]["clientMutationId"], "abc");
    outcome.0["data"]["it"].clone()
}

/// Runs a mutation that must be refused and must not change the world. Returns the error's type and message.
#[track_caller]
fn refused(world: &mut World, login: &str, name: &str, input: Value) -> (String, String) {
    let before = world.clone();
    let (json, applied) = send(world, login, name, input, "");
    assert!(!applied);
    assert!(*world == before, "{name} was refused and changed the world");
    assert_eq!(json["data"], json!({ "it": null }));
    let error = &json["errors"][0];
    assert_eq!(error["path"], json!(["it"]));
    let text = |key: &str| error[key].as_str().unwrap().to_owned();
    (text("type"), text("message"))
}

fn send(
    world: &mut World,
    login: &str,
    name: &str,
    input: Value,
    selection: &str,
) -> (Value, bool) {
    let type_name = format!("{}{}Input", name[..1].to_uppercase(), &name[1..]);
    let query = format!(
        "mutation($input: {type_name}!) {{ it: {name}(input: $input) {{ clientMutationId {selection} }} }}"
    );
    let mut input = input;
    input["clientMutationId"] = json!("abc");
    let outcome = run_as(world, login, &query, json!({ "input": input }));
    (outcome.json, outcome.applied)
}

fn at(world: &World, number: u64) -> &Issue {
    world.issue_at(issue(number)).unwrap()
}

fn pull(world: &World, number: u64) -> &PullRequest {
    at(world, number).pull.as_ref().unwrap()
}

fn ids(world: &mut World, selection: &str) -> Value {
    repo(world, selection)
}

#[test]
fn issues_are_created_with_all_fields() {
    let mut world = world();
    let known = ids(
        &mut world,
        "id label(name: \"help wanted\") { id } milestone(number: 1) { id }
         assignableUsers(first: 1, query: \"mona\") { nodes { id } } issueTypes(first: 1) { nodes { id } }",
    );
    let made = mutate(
        &mut world,
        "octocat",
        "createIssue",
        json!({
            "repositoryId": known["id"], "title": "New", "body": "Text",
            "labelIds": [known["label"]["id"]], "milestoneId": known["milestone"]["id"],
            "assigneeIds": [known["assignableUsers"]["nodes"][0]["id"]],
            "issueTypeId": known["issueTypes"]["nodes"][0]["id"],
        }),
        "issue { number title url issueType { name } }",
    );
    assert_eq!(made["issue"]["number"], 8);
    assert_eq!(
        made["issue"]["url"],
        "https://github.com/acme/rocket/issues/8"
    );
    assert_eq!(made["issue"]["issueType"]["name"], "Bug");
    let issue = at(&world, 8);
    assert_eq!((issue.title.as_str(), issue.body.as_str()), ("New", "Text"));
    assert_eq!(issue.assignees, ["mona"]);
    assert_eq!(issue.milestone, Some(1));
    assert_eq!(issue.labels.len(), 1);
    assert_eq!(issue.author, "octocat");
}

#[test]
fn invalid_issues_are_not_created() {
    let mut world = world();
    let repository = ids(&mut world, "id")["id"].clone();
    let other = id(&mut world, 1);
    for (input, kind, message) in [
        (
            json!({ "repositoryId": repository, "title": " " }),
            "UNPROCESSABLE",
            "Title can't be blank",
        ),
        (
            json!({ "repositoryId": repository, "title": "x".repeat(300) }),
            "UNPROCESSABLE",
            "Title is too long (maximum is 256 characters)",
        ),
        (
            json!({ "repositoryId": "R_x", "title": "T" }),
            "NOT_FOUND",
            "Could not resolve to a node with the global id of 'R_x'",
        ),
    ] {
        let found = refused(&mut world, "octocat", "createIssue", input);
        assert_eq!(found, (kind.to_owned(), message.to_owned()));
    }
    let input = json!({ "repositoryId": repository, "title": "T", "labelIds": [other] });
    assert_eq!(
        refused(&mut world, "octocat", "createIssue", input).0,
        "NOT_FOUND"
    );
}

#[test]
fn issues_are_edited() {
    let mut world = world();
    let id = id(&mut world, 1);
    mutate(
        &mut world,
        "octocat",
        "updateIssue",
        json!({ "id": id, "title": "Changed", "labelIds": [], "milestoneId": null }),
        "issue { title }",
    );
    let issue = at(&world, 1);
    assert_eq!(issue.title, "Changed");
    assert!(issue.labels.is_empty());
    assert_eq!(issue.milestone, None);
    assert_eq!(issue.assignees, ["hubot"], "what is not given stays");
}

#[test]
fn an_edit_keeps_absent_fields_even_with_unset_variables() {
    let mut world = world();
    let id = id(&mut world, 1);
    let outcome = run_as(
        &mut world,
        "octocat",
        "mutation($id: ID!, $milestone: ID, $labels: [ID!], $title: String) { updateIssue(input: {
            id: $id, milestoneId: $milestone, labelIds: $labels, title: $title }) { clientMutationId } }",
        json!({ "id": id, "title": "Changed" }),
    );
    assert_eq!(outcome.json["errors"], Value::Null);
    let issue = at(&world, 1);
    assert_eq!(issue.title, "Changed");
    assert_eq!((issue.milestone, issue.labels.len()), (Some(1), 1));
}

#[test]
fn issues_are_closed_and_reopened() {
    let mut world = world();
    let id = id(&mut world, 1);
    let closed = mutate(
        &mut world,
        "octocat",
        "closeIssue",
        json!({ "issueId": id, "stateReason": "NOT_PLANNED" }),
        "issue { state stateReason closedAt }",
    );
    assert_eq!(closed["issue"]["stateReason"], "NOT_PLANNED");
    assert_eq!(at(&world, 1).state, IssueState::Closed);
    assert_eq!(at(&world, 1).closed_at, Some(at(&world, 1).updated_at));

    let (again, applied) = send(
        &mut world,
        "octocat",
        "closeIssue",
        json!({ "issueId": id }),
        "issue { state }",
    );
    assert_eq!(again["errors"], Value::Null);
    assert!(!applied, "closing what is closed changes nothing");

    mutate(
        &mut world,
        "octocat",
        "reopenIssue",
        json!({ "issueId": id }),
        "issue { state }",
    );
    assert_eq!(at(&world, 1).state, IssueState::Open);
    assert_eq!(at(&world, 1).state_reason, Some(StateReason::Reopened));
    assert_eq!(at(&world, 1).closed_at, None);
}

#[test]
fn comments_are_added_edited_and_deleted() {
    let mut world = world();
    let subject = id(&mut world, 2);
    let made = mutate(
        &mut world,
        "stranger",
        "addComment",
        json!({ "subjectId": subject, "body": "Hello" }),
        "commentEdge { node { id url body } } subject { id }",
    );
    let comment = made["commentEdge"]["node"]["id"].clone();
    assert_eq!(made["subject"]["id"], subject);
    assert_eq!(at(&world, 2).comments[0].body, "Hello");
    assert_eq!(
        at(&world, 2).comments[0].created_at,
        at(&world, 2).updated_at
    );
    mutate(
        &mut world,
        "stranger",
        "updateIssueComment",
        json!({ "id": comment, "body": "Bye" }),
        "issueComment { body includesCreatedEdit }",
    );
    assert_eq!(at(&world, 2).comments[0].body, "Bye");
    let input = json!({ "id": comment, "body": "Mine now" });
    assert_eq!(
        refused(&mut world, "mona", "updateIssueComment", input).0,
        "FORBIDDEN"
    );
    mutate(
        &mut world,
        "stranger",
        "deleteIssueComment",
        json!({ "id": comment }),
        "",
    );
    assert!(at(&world, 2).comments.is_empty());
    let found = refused(
        &mut world,
        "octocat",
        "addComment",
        json!({ "subjectId": subject, "body": "" }),
    );
    assert_eq!(
        found,
        (
            "UNPROCESSABLE".to_owned(),
            "Body cannot be blank".to_owned()
        )
    );
}

#[test]
fn labels_are_added_to_and_removed_from_issues() {
    let mut world = world();
    let subject = id(&mut world, 6);
    let label = ids(&mut world, "label(name: \"bug\") { id }")["label"]["id"].clone();
    let input = json!({ "labelableId": subject, "labelIds": [label] });
    let made = mutate(
        &mut world,
        "octocat",
        "addLabelsToLabelable",
        input.clone(),
        "labelable { labels(first: 5) { nodes { name } } }",
    );
    assert_eq!(
        made["labelable"]["labels"]["nodes"],
        json!([{ "name": "bug" }])
    );
    assert_eq!(at(&world, 6).labels.len(), 1);
    let (_, applied) = send(
        &mut world,
        "octocat",
        "addLabelsToLabelable",
        input.clone(),
        "",
    );
    assert!(!applied);
    mutate(
        &mut world,
        "octocat",
        "removeLabelsFromLabelable",
        input,
        "",
    );
    assert!(at(&world, 6).labels.is_empty());
}

#[test]
fn labels_are_created_edited_and_deleted() {
    let mut world = world();
    let known = ids(&mut world, "id label(name: \"bug\") { id }");
    let made = mutate(
        &mut world,
        "octocat",
        "createLabel",
        json!({ "repositoryId": known["id"], "name": "new", "color": "FFAA00", "description": "d" }),
        "label { id name color description }",
    );
    assert_eq!(made["label"]["color"], "ffaa00");
    assert!(world.repositories[0].label_named("new").is_some());
    let taken = json!({ "repositoryId": known["id"], "name": "BUG", "color": "ffaa00" });
    assert_eq!(
        refused(&mut world, "octocat", "createLabel", taken).1,
        "Name has already been taken"
    );
    mutate(
        &mut world,
        "octocat",
        "updateLabel",
        json!({ "id": made["label"]["id"], "name": "newer" }),
        "label { name }",
    );
    assert!(world.repositories[0].label_named("newer").is_some());
    mutate(
        &mut world,
        "octocat",
        "deleteLabel",
        json!({ "id": known["label"]["id"] }),
        "",
    );
    assert!(world.repositories[0].label_named("bug").is_none());
    assert!(at(&world, 1).labels.is_empty());
}

#[test]
fn people_are_assigned() {
    let mut world = world();
    let subject = id(&mut world, 2);
    let users = ids(
        &mut world,
        "assignableUsers(first: 10) { nodes { id login } }",
    );
    let user = |login: &str| {
        let nodes = users["assignableUsers"]["nodes"].as_array().unwrap();
        nodes.iter().find(|node| node["login"] == login).unwrap()["id"].clone()
    };
    let input = json!({ "assignableId": subject, "assigneeIds": [user("mona"), user("hubot")] });
    mutate(&mut world, "octocat", "addAssigneesToAssignable", input, "");
    assert_eq!(at(&world, 2).assignees, ["mona", "hubot"]);
    let input = json!({ "assignableId": subject, "assigneeIds": [user("mona")] });
    mutate(
        &mut world,
        "octocat",
        "removeAssigneesFromAssignable",
        input,
        "",
    );
    assert_eq!(at(&world, 2).assignees, ["hubot"]);
    let input = json!({ "assignableId": subject, "actorIds": [user("octocat")] });
    mutate(
        &mut world,
        "octocat",
        "replaceActorsForAssignable",
        input,
        "assignable { ... on Issue { assignedActors(first: 3) { nodes { ... on User { login } } } } }",
    );
    assert_eq!(at(&world, 2).assignees, ["octocat"]);
}

#[test]
fn pull_requests_are_opened_edited_and_merged() {
    let mut world = world();
    let repository = ids(&mut world, "id")["id"].clone();
    world.push_commit(ROCKET, "wings", "octocat", "Add wings", Vec::new());
    let input = json!({
        "repositoryId": repository, "title": "Wings", "body": "Closes #3",
        "headRefName": "wings", "baseRefName": "main", "draft": true,
    });
    let made = mutate(
        &mut world,
        "octocat",
        "createPullRequest",
        input.clone(),
        "pullRequest { id number isDraft url }",
    );
    assert_eq!(made["pullRequest"]["number"], 8);
    assert_eq!(made["pullRequest"]["isDraft"], true);
    assert_eq!(
        refused(&mut world, "octocat", "createPullRequest", input).1,
        "A pull request already exists for acme:wings."
    );
    let id = made["pullRequest"]["id"].clone();
    let one = json!({ "pullRequestId": id });
    assert_eq!(
        refused(&mut world, "octocat", "mergePullRequest", one.clone()).1,
        "Pull Request is still a draft"
    );
    mutate(
        &mut world,
        "octocat",
        "markPullRequestReadyForReview",
        one.clone(),
        "",
    );
    assert!(!pull(&world, 8).draft);
    mutate(
        &mut world,
        "octocat",
        "convertPullRequestToDraft",
        one.clone(),
        "",
    );
    assert!(pull(&world, 8).draft);
    mutate(
        &mut world,
        "octocat",
        "markPullRequestReadyForReview",
        one.clone(),
        "",
    );
    mutate(
        &mut world,
        "octocat",
        "updatePullRequest",
        json!({ "pullRequestId": id, "title": "More wings" }),
        "pullRequest { title }",
    );
    let stale = json!({ "pullRequestId": id, "expectedHeadOid": "0".repeat(40) });
    assert_eq!(
        refused(&mut world, "octocat", "mergePullRequest", stale).1,
        "Head branch was modified. Review and try the merge again."
    );
    let merged = mutate(
        &mut world,
        "octocat",
        "mergePullRequest",
        json!({ "pullRequestId": id, "mergeMethod": "SQUASH" }),
        "pullRequest { state merged mergedAt mergedBy { login } mergeCommit { oid messageHeadline } }",
    );
    assert_eq!(merged["pullRequest"]["state"], "MERGED");
    assert_eq!(
        merged["pullRequest"]["mergeCommit"]["messageHeadline"],
        "More wings (#8)"
    );
    let tip = world.repositories[0].branches["main"].head().to_owned();
    assert_eq!(merged["pullRequest"]["mergeCommit"]["oid"], tip);
    let issue = at(&world, 8);
    let merged_at = pull(&world, 8).merged.as_ref().map(|merged| merged.at);
    assert_eq!(
        (issue.closed_at, Some(issue.updated_at)),
        (merged_at, merged_at)
    );
    assert!(!at(&world, 3).is_open(), "the issue it closes is closed");
    assert_eq!(
        refused(&mut world, "octocat", "mergePullRequest", one).1,
        "Pull Request is not mergeable"
    );
}

#[test]
fn conflicting_pull_requests_are_not_merged() {
    let mut world = world();
    let id = id(&mut world, 6);
    let pull = world.issue_at_mut(issue(6)).unwrap().pull.as_mut().unwrap();
    pull.mergeable = Mergeable::Conflicting;
    let found = refused(
        &mut world,
        "octocat",
        "mergePullRequest",
        json!({ "pullRequestId": id }),
    );
    assert_eq!(
        found,
        (
            "UNPROCESSABLE".to_owned(),
            "Pull Request is not mergeable".to_owned()
        )
    );
}

#[test]
fn pull_requests_are_closed_and_reopened() {
    let mut world = world();
    let input = json!({ "pullRequestId": id(&mut world, 7) });
    let closed = mutate(
        &mut world,
        "octocat",
        "closePullRequest",
        input.clone(),
        "pullRequest { state closed }",
    );
    assert_eq!(
        closed["pullRequest"],
        json!({ "state": "CLOSED", "closed": true })
    );
    mutate(&mut world, "octocat", "reopenPullRequest", input, "");
    assert!(at(&world, 7).is_open());
}

#[test]
fn reviews_are_added_and_submitted() {
    let mut world = world();
    let id = id(&mut world, 7);
    let made = mutate(
        &mut world,
        "mona",
        "addPullRequestReview",
        json!({ "pullRequestId": id, "event": "APPROVE" }),
        "pullRequestReview { state author { login } pullRequest { reviewDecision } }",
    );
    assert_eq!(made["pullRequestReview"]["state"], "APPROVED");
    assert_eq!(
        made["pullRequestReview"]["pullRequest"]["reviewDecision"],
        Value::Null,
        "nobody requires a review"
    );
    let own = json!({ "pullRequestId": id, "event": "APPROVE" });
    assert_eq!(
        refused(&mut world, "hubot", "addPullRequestReview", own).1,
        "Can not approve your own pull request"
    );
    let pending = mutate(
        &mut world,
        "octocat",
        "addPullRequestReview",
        json!({ "pullRequestId": id, "body": "Later" }),
        "pullRequestReview { id state submittedAt }",
    );
    assert_eq!(pending["pullRequestReview"]["state"], "PENDING");
    assert_eq!(pending["pullRequestReview"]["submittedAt"], Value::Null);
    mutate(
        &mut world,
        "octocat",
        "submitPullRequestReview",
        json!({ "pullRequestReviewId": pending["pullRequestReview"]["id"], "event": "COMMENT" }),
        "pullRequestReview { state }",
    );
    let states: Vec<ReviewState> = pull(&world, 7).reviews.iter().map(|r| r.state).collect();
    assert_eq!(states, [ReviewState::Approved, ReviewState::Commented]);
}

#[test]
fn threads_get_replies_and_are_resolved() {
    let mut world = world();
    let threads = ids(
        &mut world,
        "pullRequest(number: 6) { reviewThreads(first: 1) { nodes { id } } }",
    );
    let thread = threads["pullRequest"]["reviewThreads"]["nodes"][0]["id"].clone();
    let made = mutate(
        &mut world,
        "hubot",
        "addPullRequestReviewThreadReply",
        json!({ "pullRequestReviewThreadId": thread, "body": "Because" }),
        "comment { body replyTo { body } }",
    );
    assert_eq!(made["comment"]["replyTo"]["body"], "Why 3?");
    assert_eq!(pull(&world, 6).threads[0].comments.len(), 2);
    let input = json!({ "threadId": thread });
    mutate(
        &mut world,
        "octocat",
        "resolveReviewThread",
        input.clone(),
        "thread { isResolved resolvedBy { login } }",
    );
    assert_eq!(
        pull(&world, 6).threads[0].resolved_by.as_deref(),
        Some("octocat")
    );
    mutate(
        &mut world,
        "octocat",
        "unresolveReviewThread",
        input,
        "thread { isResolved }",
    );
    assert_eq!(pull(&world, 6).threads[0].resolved_by, None);
}

#[test]
fn reviews_are_requested() {
    let mut world = world();
    let id = id(&mut world, 7);
    let users = ids(
        &mut world,
        "assignableUsers(first: 1, query: \"mona\") { nodes { id } }",
    );
    let mona = users["assignableUsers"]["nodes"][0]["id"].clone();
    mutate(
        &mut world,
        "octocat",
        "requestReviews",
        json!({ "pullRequestId": id, "userIds": [mona], "union": true }),
        "pullRequest { reviewRequests(first: 5) { nodes { requestedReviewer { ... on User { login } } } } }",
    );
    assert_eq!(pull(&world, 7).requested_reviewers, ["mona"]);
}

#[test]
fn conversations_are_locked() {
    let mut world = world();
    let subject = id(&mut world, 2);
    mutate(
        &mut world,
        "octocat",
        "lockLockable",
        json!({ "lockableId": subject, "lockReason": "TOO_HEATED" }),
        "lockedRecord { locked activeLockReason }",
    );
    let found = refused(
        &mut world,
        "stranger",
        "addComment",
        json!({ "subjectId": subject, "body": "x" }),
    );
    assert_eq!(found.0, "FORBIDDEN");
    mutate(
        &mut world,
        "octocat",
        "unlockLockable",
        json!({ "lockableId": subject }),
        "",
    );
    assert!(!at(&world, 2).locked);
}

#[test]
fn issue_dependencies_have_no_cycles() {
    let mut world = world();
    let (one, two) = (id(&mut world, 1), id(&mut world, 2));
    let made = mutate(
        &mut world,
        "octocat",
        "addBlockedBy",
        json!({ "issueId": one, "blockingIssueId": two }),
        "issue { blockedBy(first: 5) { nodes { number } } issueDependenciesSummary { blockedBy } }
         blockingIssue { blocking(first: 5) { nodes { number } } }",
    );
    assert_eq!(
        made["issue"]["blockedBy"]["nodes"],
        json!([{ "number": 2 }])
    );
    assert_eq!(
        made["blockingIssue"]["blocking"]["nodes"],
        json!([{ "number": 1 }])
    );
    let back = json!({ "issueId": two, "blockingIssueId": one });
    assert_eq!(
        refused(&mut world, "octocat", "addBlockedBy", back).0,
        "UNPROCESSABLE"
    );
    mutate(
        &mut world,
        "octocat",
        "removeBlockedBy",
        json!({ "issueId": one, "blockingIssueId": two }),
        "",
    );
    assert!(at(&world, 1).blocked_by.is_empty());
}

#[test]
fn reactions_are_counted() {
    let mut world = world();
    let subject = id(&mut world, 1);
    mutate(
        &mut world,
        "mona",
        "addReaction",
        json!({ "subjectId": subject, "content": "HEART" }),
        "reaction { content }",
    );
    let found = repo(
        &mut world,
        "issue(number: 1) { reactionGroups { content users { totalCount } } }",
    );
    let groups = found["issue"]["reactionGroups"].as_array().unwrap();
    assert_eq!(groups.len(), 8);
    let heart = groups
        .iter()
        .find(|group| group["content"] == "HEART")
        .unwrap();
    assert_eq!(heart["users"]["totalCount"], 1);
}

#[test]
fn several_mutations_in_one_request_run_in_order_and_fail_alone() {
    let mut world = world();
    let (one, two) = (id(&mut world, 1), id(&mut world, 2));
    let outcome = run_as(
        &mut world,
        "octocat",
        "mutation($one: ID!, $two: ID!) {
            a: closeIssue(input: {issueId: $one}) { issue { number } }
            b: closeIssue(input: {issueId: \"I_nope\"}) { issue { number } }
            c: closeIssue(input: {issueId: $two}) { issue { number } }
        }",
        json!({ "one": one, "two": two }),
    );
    assert_eq!(
        outcome.json["data"],
        json!({ "a": { "issue": { "number": 1 } }, "b": null, "c": { "issue": { "number": 2 } } })
    );
    assert_eq!(outcome.json["errors"][0]["path"], json!(["b"]));
    assert!(at(&world, 1).closed_at < at(&world, 2).closed_at);
}

#[test]
fn required_checks_apply_to_administrators_only_if_enforced() {
    let mut world = world();
    let input = json!({ "pullRequestId": id(&mut world, 6) });
    for (name, state) in [
        ("test", "failing"),
        ("deploy/preview", "in progress"),
        ("nightly", "expected"),
    ] {
        let required = vec!["build".to_owned(), name.to_owned()];
        world.repo_mut(ROCKET).unwrap().required_checks = required;
        assert_eq!(
            refused(&mut world, "octocat", "mergePullRequest", input.clone()),
            (
                "UNPROCESSABLE".to_owned(),
                format!("Required status check \"{name}\" is {state}.")
            )
        );
    }
    world.repo_mut(ROCKET).unwrap().enforce_admins = false;
    mutate(&mut world, "octocat", "mergePullRequest", input, "");
}
