//! Generated cards of mutations: which id goes where, and how they share requests with others.

use std::collections::BTreeSet;
use std::path::Path;

use capstan_catalog::Catalog;
use capstan_catalog::outline::read_outlines;
use capstan_core::card::Card;
use capstan_core::{ChainStep, RouteRequest};
use github_sim::graphql::execute;
use github_sim::world::Viewer;
use serde_json::{Value, json};

use super::bench::Bench;
use super::steps::{assert_all_ok, exactly, step};

/// Mutations that look up several ids: the input besides `acme/rocket`, and what each field of the mutation gets. A
/// number is an issue of the demo, `#49` its pull request, `@` a user, and other texts are ids as the simulator makes
/// them up or places in [`known`].
const IDS: &[(&str, &str, &str)] = &[
    (
        "issue.blocked_by.add",
        r#"{"issue_number": 43, "blocking_issue_number": 42}"#,
        r#"{"issueId": 43, "blockingIssueId": 42}"#,
    ),
    (
        "issue.blocked_by.remove",
        r#"{"issue_number": 43, "blocking_issue_number": 42}"#,
        r#"{"issueId": 43, "blockingIssueId": 42}"#,
    ),
    (
        "issue.sub_issues.add_graphql",
        r#"{"issue_number": 43, "sub_issue_number": 42}"#,
        r#"{"issueId": 43, "subIssueId": 42}"#,
    ),
    (
        "issue.sub_issues.remove",
        r#"{"issue_number": 43, "sub_issue_number": 42}"#,
        r#"{"issueId": 43, "subIssueId": 42}"#,
    ),
    (
        "issue.sub_issues.reprioritize",
        r#"{"issue_number": 43, "sub_issue_number": 42, "after_issue_number": 41}"#,
        r#"{"issueId": 43, "subIssueId": 42, "afterId": 41, "beforeId": null}"#,
    ),
    (
        "issue.sub_issues.reprioritize",
        r#"{"issue_number": 43, "sub_issue_number": 42, "before_issue_number": 41}"#,
        r#"{"issueId": 43, "subIssueId": 42, "afterId": null, "beforeId": 41}"#,
    ),
    (
        "issue.unmark_as_duplicate",
        r#"{"issue_number": 43, "canonical_issue_number": 42}"#,
        r#"{"duplicateId": 43, "canonicalId": 42}"#,
    ),
    (
        "issue.transfer",
        r#"{"issue_number": 43, "to_owner": "acme", "to_repo": "launchpad"}"#,
        r#"{"issueId": 43, "repositoryId": "launchpad"}"#,
    ),
    (
        "issue.type.set",
        r#"{"issue_number": 43, "issue_type": "Feature"}"#,
        r#"{"issueId": 43, "issueTypeId": "Feature"}"#,
    ),
    (
        "issue.update_graphql",
        r#"{"issue_number": 43, "labels": ["bug", "gnc"], "assignees": ["akira-mori"], "milestone": 1, "issue_type": "Feature"}"#,
        r#"{"id": 43, "labelIds": ["bug", "gnc"], "assigneeIds": ["@akira-mori"], "milestoneId": "milestone", "issueTypeId": "Feature"}"#,
    ),
    (
        "pr.update_graphql",
        r#"{"pr_number": 49, "labels": ["bug"], "assignees": ["akira-mori"], "milestone": 1}"#,
        r##"{"pullRequestId": "#49", "labelIds": ["bug"], "assigneeIds": ["@akira-mori"], "milestoneId": "milestone"}"##,
    ),
    (
        "pr.reviews.request_graphql",
        r#"{"pr_number": 49, "reviewers": ["akira-mori"]}"#,
        r##"{"pullRequestId": "#49", "userIds": ["@akira-mori"]}"##,
    ),
    (
        "discussion.create",
        r#"{"category": "Q&A", "title": "T", "body": "B"}"#,
        r#"{"repositoryId": "rocket", "categoryId": "DiscussionCategory:q-a"}"#,
    ),
    (
        "discussion.update",
        r#"{"discussion_number": 7, "category": "ideas"}"#,
        r#"{"discussionId": "Discussion:7", "categoryId": "DiscussionCategory:ideas"}"#,
    ),
    (
        "repo.deployments.create_graphql",
        r#"{"ref": "main"}"#,
        r#"{"repositoryId": "rocket", "refId": "main"}"#,
    ),
    (
        "repo.create_from_template_graphql",
        r#"{"template_owner": "acme", "template_repo": "launchpad", "owner": "maya-chen", "repo": null, "name": "new", "visibility": "PRIVATE"}"#,
        r#"{"repositoryId": "launchpad", "ownerId": "@maya-chen"}"#,
    ),
    (
        "repo.pr_creation_cap.bypass_users.add",
        r#"{"users": ["akira-mori"]}"#,
        r#"{"repositoryId": "rocket", "userIds": ["@akira-mori"]}"#,
    ),
    (
        "repo.pr_creation_cap.bypass_users.remove",
        r#"{"users": ["akira-mori"]}"#,
        r#"{"repositoryId": "rocket", "userIds": ["@akira-mori"]}"#,
    ),
    (
        "project_v2.copy",
        r#"{"repo": null, "project_number": 2, "to_owner": "maya-chen", "title": "T"}"#,
        r#"{"projectId": "ProjectV2:2", "ownerId": "@maya-chen"}"#,
    ),
    (
        "project_v2.items.add",
        r#"{"issue_number": 43, "project_owner": "maya-chen", "project_number": 2}"#,
        r#"{"contentId": 43, "projectId": "ProjectV2:2"}"#,
    ),
    (
        "project_v2.items.add",
        r#"{"issue_number": 49, "project_owner": "acme", "project_number": 3}"#,
        r##"{"contentId": "#49", "projectId": "ProjectV2:3"}"##,
    ),
    (
        "project_v2.items.convert_to_issue",
        r#"{"item_id": "PVTI_1"}"#,
        r#"{"itemId": "PVTI_1", "repositoryId": "rocket"}"#,
    ),
    (
        "project_v2.link_to_repository",
        r#"{"project_owner": "maya-chen", "project_number": 2}"#,
        r#"{"repositoryId": "rocket", "projectId": "ProjectV2:2"}"#,
    ),
    (
        "project_v2.unlink_from_repository",
        r#"{"project_owner": "maya-chen", "project_number": 2}"#,
        r#"{"repositoryId": "rocket", "projectId": "ProjectV2:2"}"#,
    ),
    (
        "project_v2.link_to_team",
        r#"{"owner": null, "repo": null, "org": "acme", "team_slug": "core", "project_owner": "acme", "project_number": 2}"#,
        r#"{"teamId": "Team:core", "projectId": "ProjectV2:2"}"#,
    ),
    (
        "project_v2.unlink_from_team",
        r#"{"owner": null, "repo": null, "org": "acme", "team_slug": "core", "project_owner": "acme", "project_number": 2}"#,
        r#"{"teamId": "Team:core", "projectId": "ProjectV2:2"}"#,
    ),
    (
        "project_v2.items.field_values.clear",
        r#"{"repo": null, "project_number": 2, "item_id": "PVTI_1", "field": "Status"}"#,
        r#"{"projectId": "ProjectV2:2", "itemId": "PVTI_1", "fieldId": "ProjectV2Field:Status"}"#,
    ),
    (
        "project_v2.items.field_values.set",
        r#"{"repo": null, "project_number": 2, "item_id": "PVTI_1", "field": "Status", "value": {"text": "x"}}"#,
        r#"{"projectId": "ProjectV2:2", "itemId": "PVTI_1", "fieldId": "ProjectV2Field:Status"}"#,
    ),
    (
        "project_v2.draft_issues.add",
        r#"{"repo": null, "project_number": 2, "title": "T", "assignees": ["akira-mori"]}"#,
        r#"{"projectId": "ProjectV2:2", "assigneeIds": ["@akira-mori"]}"#,
    ),
    (
        "enterprise.access_user_repository",
        r#"{"enterprise": "initech"}"#,
        r#"{"enterpriseId": "Enterprise:initech", "repositoryId": "rocket"}"#,
    ),
    (
        "enterprise.organizations.add_member",
        r#"{"owner": null, "repo": null, "enterprise": "initech", "org": "acme", "users": ["akira-mori"]}"#,
        r#"{"enterpriseId": "Enterprise:initech", "organizationId": "acme", "userIds": ["@akira-mori"]}"#,
    ),
    (
        "enterprise.organizations.remove",
        r#"{"owner": null, "repo": null, "enterprise": "initech", "org": "acme"}"#,
        r#"{"enterpriseId": "Enterprise:initech", "organizationId": "acme"}"#,
    ),
    (
        "enterprise.organizations.transfer",
        r#"{"owner": null, "repo": null, "org": "acme", "to_enterprise": "initech"}"#,
        r#"{"organizationId": "acme", "destinationEnterpriseId": "Enterprise:initech"}"#,
    ),
    (
        "enterprise.update_owner_organization_role",
        r#"{"owner": null, "repo": null, "enterprise": "initech", "org": "acme", "organization_role": "OWNER"}"#,
        r#"{"enterpriseId": "Enterprise:initech", "organizationId": "acme"}"#,
    ),
    (
        "enterprise.remove_member",
        r#"{"owner": null, "repo": null, "enterprise": "initech", "username": "akira-mori"}"#,
        r#"{"enterpriseId": "Enterprise:initech", "userId": "@akira-mori"}"#,
    ),
    (
        "org.outside_collaborators.remove_graphql",
        r#"{"owner": null, "repo": null, "org": "acme", "username": "akira-mori"}"#,
        r#"{"organizationId": "acme", "userId": "@akira-mori"}"#,
    ),
];

fn generated_cards() -> Vec<Card> {
    let catalog = Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED);
    let cards = catalog
        .generated()
        .map(|card| catalog.get(card.id).unwrap());
    let cards = cards.filter(|card| card.graphql.is_some());
    cards.map(|card| card.as_ref().clone()).collect()
}

/// Returns the ids of things in the demo.
fn known(bench: &Bench) -> Value {
    let issue = |number: u64| format!("i{number}: issue(number: {number}) {{ id }}");
    let query = format!(
        r#"{{
            rocket: repository(owner: "acme", name: "rocket") {{
                id {} {} {} pr: pullRequest(number: 49) {{ id }} milestone(number: 1) {{ id }}
                bug: label(name: "bug") {{ id }} gnc: label(name: "gnc") {{ id }} main: ref(qualifiedName: "main") {{ id }}
                issueTypes(first: 9) {{ nodes {{ id name }} }}
            }}
            launchpad: repository(owner: "acme", name: "launchpad") {{ id }}
            maya: user(login: "maya-chen") {{ id }} akira: user(login: "akira-mori") {{ id }}
            acme: organization(login: "acme") {{ id }}
        }}"#,
        issue(41),
        issue(42),
        issue(43)
    );
    let viewer = Viewer::full("maya-chen");
    let body = json!({"query": query});
    let found = bench.sim.world(|world| execute(world, &viewer, &body)).json;
    assert!(found.get("errors").is_none(), "{found}");
    found["data"].clone()
}

/// Returns the id that a row of [`IDS`] means.
fn id_of(meant: &Value, known: &Value) -> Value {
    let id = |pointer: &str| known.pointer(pointer).unwrap().clone();
    let text = match meant {
        Value::Array(all) => return all.iter().map(|it| id_of(it, known)).collect(),
        Value::Number(number) => return id(&format!("/rocket/i{number}/id")),
        Value::String(text) => text.as_str(),
        _ => return Value::Null,
    };
    match text {
        "#49" => id("/rocket/pr/id"),
        "@maya-chen" => id("/maya/id"),
        "@akira-mori" => id("/akira/id"),
        "rocket" | "launchpad" | "acme" => id(&format!("/{text}/id")),
        "bug" | "gnc" | "main" | "milestone" => id(&format!("/rocket/{text}/id")),
        "Feature" => {
            let types = known["rocket"]["issueTypes"]["nodes"].as_array().unwrap();
            let found = types.iter().find(|it| it["name"] == text);
            found.unwrap()["id"].clone()
        }
        made_up => json!(made_up),
    }
}

#[tokio::test]
async fn the_right_id_goes_into_each_field() {
    let mut problems = Vec::new();
    for (capability, input, expected) in IDS {
        let bench = Bench::with_cards(generated_cards()).await;
        let known = known(&bench);
        let mut full = json!({"owner": "acme", "repo": "rocket"});
        let given: Value = serde_json::from_str(input).unwrap();
        for (name, value) in given.as_object().unwrap() {
            full[name] = value.clone();
        }
        let full = full.as_object_mut().unwrap();
        full.retain(|_, value| !value.is_null());
        let full = Value::Object(full.clone());
        let ran = bench.run_alone(&exactly(capability, &full)).await;
        let sent = bench.sent.all();
        let Some(written) = sent.iter().find(|request| request.is_write()) else {
            problems.push(format!("{capability}: {:?}", ran.error));
            continue;
        };
        let RouteRequest::Graphql(request) = &written.request else {
            panic!("{capability} goes over GraphQL");
        };
        let expected: Value = serde_json::from_str(expected).unwrap();
        for (field, meant) in expected.as_object().unwrap() {
            let sent = request.variables.get(field).cloned().unwrap_or_default();
            let meant = id_of(meant, &known);
            if sent != meant {
                problems.push(format!("{capability}: `{field}` is {sent}, not {meant}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_mutation_with_several_ids_is_tested() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../catalogue/graphql");
    let outlines = read_outlines(&folder).unwrap();
    let several = outlines.iter().filter(|(_, it)| it.resolve.len() > 1);
    let several: BTreeSet<&str> = several.map(|(id, _)| id.as_str()).collect();
    let tested: BTreeSet<&str> = IDS.iter().map(|(id, ..)| *id).collect();
    let untested: Vec<_> = several.difference(&tested).collect();
    assert!(untested.is_empty(), "{untested:?}");
    assert!(several.len() > 30, "{}", several.len());
}

/// What a written card and generated ones look up goes into one request, and what they write into another.
#[tokio::test]
async fn mutations_share_requests_with_other_steps() {
    let bench = Bench::with_cards(generated_cards()).await;
    let of_issue = |number: u64| json!({"owner": "acme", "repo": "rocket", "issue_number": number});
    let steps: Vec<ChainStep> = vec![
        step("issue.pin", of_issue(43)),
        step("issue.close", of_issue(42)),
        step("issue.subscription.set", {
            let mut input = of_issue(41);
            input["state"] = json!("SUBSCRIBED");
            input
        }),
        step("issue.unpin", of_issue(43)),
    ];
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    assert_eq!(bench.counts(), (1, 1), "{:?}", bench.sim.requests());
}

#[tokio::test]
async fn a_name_that_means_nothing_stops_the_mutation() {
    let bench = Bench::with_cards(generated_cards()).await;
    for (capability, input, message) in [
        (
            "issue.pin",
            json!({"owner": "acme", "repo": "rocket", "issue_number": 9999}),
            "there is no issue `9999` in acme/rocket",
        ),
        (
            "discussion.create",
            json!({"owner": "acme", "repo": "rocket", "category": "Nope", "title": "T", "body": "B"}),
            "there is no category of discussions `Nope` in acme/rocket",
        ),
        (
            "pr.update_graphql",
            json!({"owner": "acme", "repo": "rocket", "pr_number": 49, "labels": ["bug", "nope"]}),
            "there is no label `nope` in acme/rocket",
        ),
        (
            "issue.transfer",
            json!({"owner": "acme", "repo": "rocket", "issue_number": 43, "to_owner": "acme", "to_repo": "gone"}),
            "there is no repository acme/gone",
        ),
    ] {
        let ran = bench.run_alone(&step(capability, input)).await;
        let error = ran.error.expect("nothing has this name");
        assert!(
            error.message.contains(message),
            "{capability}: {}",
            error.message
        );
        assert!(bench.writes().is_empty(), "{capability}");
    }
}
