//! Queries of the modelled types.

use super::fixture::{ROCKET, data, errors, id, issue, repo, run_as, world};
use github_sim::world::{Located, Viewer};
use serde_json::{Value, json};

#[test]
fn an_issue_is_resolved_from_the_world() {
    let mut world = world();
    let found = repo(
        &mut world,
        "issue(number: 1) {
            number title body state stateReason closed url resourcePath
            author { login ... on User { name } }
            assignees(first: 5) { nodes { login } }
            labels(first: 5) { nodes { name color } totalCount }
            milestone { title number }
            comments(first: 5) { totalCount nodes { body author { login } } }
            createdAt updatedAt locked
        }",
    );
    let issue = &found["issue"];
    assert_eq!(issue["number"], 1);
    assert_eq!(issue["body"], "Body 1 — ünïcödé 🚀");
    assert_eq!(issue["state"], "OPEN");
    assert_eq!(issue["url"], "https://github.com/acme/rocket/issues/1");
    assert_eq!(issue["resourcePath"], "/acme/rocket/issues/1");
    assert_eq!(
        issue["author"],
        json!({ "login": "octocat", "name": "The Octocat" })
    );
    assert_eq!(issue["assignees"]["nodes"], json!([{ "login": "hubot" }]));
    assert_eq!(
        issue["labels"]["nodes"],
        json!([{ "name": "bug", "color": "d73a4a" }])
    );
    assert_eq!(issue["milestone"], json!({ "title": "v1.0", "number": 1 }));
    assert_eq!(issue["comments"]["totalCount"], 2);
    assert_eq!(issue["comments"]["nodes"][1]["body"], "Second");
    assert_eq!(issue["comments"]["nodes"][1]["author"]["login"], "mona");
    assert!(issue["createdAt"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn a_deleted_author_is_null() {
    let found = repo(
        &mut world(),
        "issue(number: 4) { author { login } authorAssociation }",
    );
    assert_eq!(found["issue"]["author"], Value::Null);
    assert_eq!(found["issue"]["authorAssociation"], "NONE");
}

#[test]
fn a_pull_request_is_resolved_from_the_world() {
    let found = repo(
        &mut world(),
        "pullRequest(number: 6) {
            state isDraft merged mergeable mergeStateStatus reviewDecision
            latestOpinionatedReviews(first: 10) { nodes { state } }
            byWriters: latestOpinionatedReviews(first: 10, writersOnly: true) { nodes { state } }
            headRefName baseRefName additions deletions changedFiles isCrossRepository
            headRepositoryOwner { login __typename }
            files(first: 10) { nodes { path additions changeType } }
            commits(last: 1) { totalCount nodes { commit {
                messageHeadline messageBody
                authors(first: 1) { nodes { name user { login } } }
                statusCheckRollup { state contexts(first: 10) { totalCount nodes {
                    __typename
                    ... on CheckRun { name conclusion checkSuite { workflowRun { workflow { name } } } }
                    ... on StatusContext { context state }
                } } }
            } } }
            reviewThreads(first: 10) { nodes { isResolved path line comments(first: 5) { nodes { body author { login } } } } }
            reviews(first: 10) { nodes { state body author { login } } }
            closingIssuesReferences(first: 5) { nodes { number } }
        }",
    );
    let pull = &found["pullRequest"];
    assert_eq!(pull["state"], "OPEN");
    assert_eq!(pull["mergeable"], "MERGEABLE");
    assert_eq!(pull["mergeStateStatus"], "UNSTABLE");
    assert_eq!(
        pull["reviewDecision"],
        Value::Null,
        "nobody requires a review"
    );
    assert_eq!(
        pull["latestOpinionatedReviews"]["nodes"],
        json!([{ "state": "CHANGES_REQUESTED" }])
    );
    assert_eq!(
        pull["byWriters"]["nodes"],
        json!([]),
        "the reviewer may only read"
    );
    assert_eq!(
        (&pull["additions"], &pull["changedFiles"]),
        (&json!(10), &json!(1))
    );
    assert_eq!(
        pull["headRepositoryOwner"],
        json!({ "login": "acme", "__typename": "Organization" })
    );
    assert_eq!(pull["files"]["nodes"][0]["path"], "src/engine.rs");
    let commit = &pull["commits"]["nodes"][0]["commit"];
    assert_eq!(commit["messageHeadline"], "Tune the engine");
    assert_eq!(commit["messageBody"], "Details");
    let rollup = &commit["statusCheckRollup"];
    assert_eq!(rollup["state"], "FAILURE");
    assert_eq!(rollup["contexts"]["totalCount"], 3);
    assert_eq!(rollup["contexts"]["nodes"][1]["conclusion"], "FAILURE");
    assert_eq!(
        rollup["contexts"]["nodes"][1]["checkSuite"]["workflowRun"]["workflow"]["name"],
        "CI"
    );
    assert_eq!(rollup["contexts"]["nodes"][2]["context"], "deploy/preview");
    let thread = &pull["reviewThreads"]["nodes"][0];
    assert_eq!(thread["isResolved"], false);
    assert_eq!(thread["comments"]["nodes"][0]["body"], "Why 3?");
    assert_eq!(pull["reviews"]["nodes"][0]["state"], "CHANGES_REQUESTED");
    assert_eq!(
        pull["closingIssuesReferences"]["nodes"],
        json!([{ "number": 2 }])
    );
}

#[test]
fn lists_filter_and_order() {
    let mut world = world();
    world
        .close_issue(&Viewer::full("octocat"), issue(3), None)
        .unwrap();
    let found = repo(
        &mut world,
        "open: issues(first: 10, states: OPEN, orderBy: {field: CREATED_AT, direction: DESC}) { nodes { number } }
         labelled: issues(first: 10, labels: [\"BUG\"]) { nodes { number } }
         mine: issues(first: 10, filterBy: {assignee: \"hubot\", states: [OPEN]}) { nodes { number } }
         pulls: pullRequests(first: 10, headRefName: \"fuel\") { nodes { number } }
         releases(first: 5, orderBy: {field: CREATED_AT, direction: DESC}) { nodes { tagName isLatest } }
         latestRelease { tagName }",
    );
    let numbers = |key: &str| -> Vec<u64> {
        let nodes = found[key]["nodes"].as_array().unwrap();
        nodes
            .iter()
            .map(|node| node["number"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(numbers("open"), [5, 4, 2, 1]);
    assert_eq!(numbers("labelled"), [1]);
    assert_eq!(numbers("mine"), [1]);
    assert_eq!(numbers("pulls"), [7]);
    assert_eq!(
        found["releases"]["nodes"][0],
        json!({ "tagName": "v0.2.0-rc1", "isLatest": false })
    );
    assert_eq!(found["latestRelease"]["tagName"], "v0.1.0");
}

#[test]
fn search_understands_qualifiers() {
    let mut world = world();
    world
        .close_issue(&Viewer::full("octocat"), issue(3), None)
        .unwrap();
    let mut search = |text: &str| -> Vec<u64> {
        let found = data(
            &mut world,
            "query($q: String!) { search(type: ISSUE, query: $q, first: 50) {
                issueCount nodes { ... on Issue { number } ... on PullRequest { number } } } }",
            json!({ "q": text }),
        );
        let nodes = found["search"]["nodes"].as_array().unwrap().clone();
        assert_eq!(found["search"]["issueCount"], nodes.len());
        nodes
            .iter()
            .map(|node| node["number"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(search("repo:acme/rocket is:pr"), [7, 6]);
    assert_eq!(
        search("repo:acme/rocket is:issue is:open sort:created-asc"),
        [1, 2, 4, 5]
    );
    assert_eq!(search("is:issue state:closed"), [3]);
    assert_eq!(search("label:bug"), [1]);
    assert_eq!(search("is:issue -label:\"bug\" author:octocat"), [5, 3, 2]);
    assert_eq!(search("assignee:hubot milestone:\"v1.0\""), [1]);
    assert_eq!(search("is:issue no:assignee is:open"), [5, 4, 2]);
    assert_eq!(search("fuel in:title"), [7]);
    assert_eq!(search("repo:acme/nothing"), [0; 0]);
    assert_eq!(search("review:changes_requested"), [6]);
}

#[test]
fn node_ids_resolve_to_their_objects() {
    let mut world = world();
    let id = id(&mut world, 6);
    assert!(id.starts_with("PR_kwDO"), "{id}");
    let found = data(
        &mut world,
        "query($id: ID!, $ids: [ID!]!) {
            node(id: $id) { __typename id ... on PullRequest { number } }
            nodes(ids: $ids) { __typename }
            resource(url: \"https://github.com/acme/rocket/pull/6\") { ... on PullRequest { id } }
        }",
        json!({ "id": id, "ids": [id] }),
    );
    assert_eq!(
        found["node"],
        json!({ "__typename": "PullRequest", "id": id, "number": 6 })
    );
    assert_eq!(found["nodes"], json!([{ "__typename": "PullRequest" }]));
    assert_eq!(found["resource"]["id"], id);
}

#[test]
fn every_kind_of_node_id_round_trips() {
    let world = world();
    let pull = world.issue_at(issue(6)).unwrap().pull.clone().unwrap();
    let repo = issue(1).repo;
    let places = [
        Located::User("hubot".to_owned()),
        Located::Organization("acme".to_owned()),
        Located::Repository(repo),
        Located::Issue(issue(1)),
        Located::PullRequest(issue(6)),
        Located::Label(repo, world.repositories[0].labels[0].id),
        Located::Milestone(repo, 1),
        Located::Comment(issue(1), world.issue_at(issue(1)).unwrap().comments[0].id),
        Located::Review(issue(6), pull.reviews[0].id),
        Located::Thread(issue(6), pull.threads[0].id),
        Located::ReviewComment(issue(6), pull.threads[0].comments[0].id),
        Located::Release(repo, world.repositories[0].releases[0].id),
        Located::Commit(repo, pull.head_sha.clone()),
        Located::Ref(repo, "main".to_owned()),
        Located::IssueType(
            "acme".to_owned(),
            world.organizations["acme"].issue_types[0].id,
        ),
    ];
    for place in places {
        let id = world.node_id(&place).unwrap();
        let back = world.node(&Viewer::full("octocat"), &id).unwrap();
        assert_eq!(back, place, "{id}");
    }
}

#[test]
fn missing_objects_get_githubs_errors() {
    let mut world = world();
    let outcome = run_as(
        &mut world,
        "octocat",
        "{\n  repository(owner: \"acme\", name: \"rocket\") {\n    it: issue(number: 999) { id }\n    name\n  }\n}",
        json!({}),
    );
    assert_eq!(
        outcome.json,
        json!({
            "data": { "repository": { "it": null, "name": "rocket" } },
            "errors": [{
                "type": "NOT_FOUND",
                "path": ["repository", "it"],
                "locations": [{ "line": 3, "column": 9 }],
                "message": "Could not resolve to an Issue with the number of 999.",
            }],
        })
    );
    for (query, message) in [
        (
            "{ repository(owner: \"acme\", name: \"nope\") { id } }",
            "Could not resolve to a Repository with the name 'acme/nope'.",
        ),
        (
            "{ repository(owner: \"acme\", name: \"rocket\") { pullRequest(number: 1) { id } } }",
            "Could not resolve to a PullRequest with the number of 1.",
        ),
        (
            "{ node(id: \"x\") { id } }",
            "Could not resolve to a node with the global id of 'x'",
        ),
        (
            "{ user(login: \"nobody\") { id } }",
            "Could not resolve to a User with the login of 'nobody'.",
        ),
        (
            "{ user(login: \"gone\") { id } }",
            "Could not resolve to a User with the login of 'gone'.",
        ),
        (
            "{ organization(login: \"none\") { id } }",
            "Could not resolve to an Organization with the login of 'none'.",
        ),
    ] {
        let found = errors(&mut world, query, json!({}));
        assert_eq!(found[0]["message"], message);
        assert_eq!(found[0]["type"], "NOT_FOUND");
    }
}

#[test]
fn unknown_ids_in_nodes_do_not_affect_the_others() {
    let mut world = world();
    let known = id(&mut world, 1);
    let outcome = run_as(
        &mut world,
        "octocat",
        "query($ids: [ID!]!) { things: nodes(ids: $ids) { __typename } }",
        json!({ "ids": ["x", known] }),
    );
    assert_eq!(
        outcome.json["data"]["things"],
        json!([null, { "__typename": "Issue" }])
    );
    assert_eq!(outcome.json["errors"][0]["path"], json!(["things", 0]));
}

#[test]
fn introspection_serves_feature_detection() {
    let mut world = world();
    let found = data(
        &mut world,
        "query Detect { Issue: __type(name: \"Issue\") { fields(includeDeprecated: true) { name } }
           None: __type(name: \"Nope\") { name }
           __schema { queryType { name } } }",
        json!({}),
    );
    let fields = found["Issue"]["fields"].as_array().unwrap();
    assert!(fields.iter().any(|field| field["name"] == "stateReason"));
    assert_eq!(found["None"], Value::Null);
    assert_eq!(found["__schema"]["queryType"]["name"], "Query");
}

#[test]
fn renames_are_followed_unless_follow_renames_is_false() {
    let mut world = world();
    world.repositories[0]
        .former_names
        .push("acme/missile".to_owned());
    let found = data(
        &mut world,
        "{ repository(owner: \"acme\", name: \"missile\") { nameWithOwner } }",
        json!({}),
    );
    assert_eq!(found["repository"]["nameWithOwner"], "acme/rocket");
    let found = errors(
        &mut world,
        "{ repository(owner: \"acme\", name: \"missile\", followRenames: false) { nameWithOwner } }",
        json!({}),
    );
    assert_eq!(found[0]["type"], "NOT_FOUND");
}

#[test]
fn an_unset_variable_is_not_null() {
    let mut world = world();
    let query = "query($who: String, $state: [IssueState!]) {
        repository(owner: \"acme\", name: \"rocket\") { ...Issues } }
        fragment Issues on Repository {
            issues(filterBy: {assignee: $who, states: $state}) { totalCount } }";
    for (variables, expected) in [
        (json!({}), 5),
        (json!({ "who": null }), 4),
        (json!({ "who": "hubot" }), 1),
        (json!({ "who": "*" }), 1),
        (json!({ "state": ["CLOSED"] }), 0),
    ] {
        let found = data(&mut world, query, variables.clone());
        assert_eq!(
            found["repository"]["issues"]["totalCount"], expected,
            "{variables}"
        );
    }
}

#[test]
fn the_checks_of_a_commit_are_counted_by_state_and_marked_as_required() {
    let mut world = world();
    world.repo_mut(ROCKET).unwrap().required_checks = vec!["test".to_owned()];
    world.repo_mut(ROCKET).unwrap().required_approvals = 1;
    let found = repo(
        &mut world,
        "pullRequest(number: 6) {
            reviewDecision mergeStateStatus
            commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 1) {
                totalCount checkRunCount statusContextCount
                checkRunCountsByState { state count }
                statusContextCountsByState { state count }
            } all: contexts(first: 10) { nodes {
                ... on CheckRun { isRequired(pullRequestNumber: 6) }
                ... on StatusContext { isRequired(pullRequestNumber: 6) }
            } } } } } }
        }",
    );
    let pull = &found["pullRequest"];
    assert_eq!(pull["reviewDecision"], "REVIEW_REQUIRED");
    assert_eq!(pull["mergeStateStatus"], "BLOCKED");
    let rollup = &pull["commits"]["nodes"][0]["commit"]["statusCheckRollup"];
    assert_eq!(
        rollup["contexts"],
        json!({
            "totalCount": 3, "checkRunCount": 2, "statusContextCount": 1,
            "checkRunCountsByState": [
                { "state": "SUCCESS", "count": 1 }, { "state": "FAILURE", "count": 1 },
            ],
            "statusContextCountsByState": [{ "state": "PENDING", "count": 1 }],
        })
    );
    let required = rollup["all"]["nodes"].as_array().unwrap();
    let required: Vec<_> = required.iter().map(|it| it["isRequired"].clone()).collect();
    assert_eq!(required, [json!(false), json!(true), json!(false)]);
}
