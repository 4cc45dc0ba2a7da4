//! The generated cards: each is sound, runs against the simulator, and gives way to what people wrote.

use std::collections::BTreeMap;

use capstan_catalog::Catalog;
use capstan_core::Route;
use capstan_core::card::Card;
use github_sim::Sim;
use github_sim::graphql::execute;
use github_sim::world::Viewer;
use serde_json::{Map, Value, json};

use crate::cli::harness::{Github, Place};
use crate::code::surface::World;

fn catalog() -> Catalog {
    Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED)
}

/// Cards that do not succeed with the simulator, and why.
const EXCEPTIONS: [(&str, &str); 14] = [
    (
        "classroom.assignments.accepted_assignments.list",
        WRONG_EXAMPLE,
    ),
    ("classroom.assignments.list", WRONG_EXAMPLE),
    ("classroom.assignments.view", WRONG_EXAMPLE),
    ("classroom.list", WRONG_EXAMPLE),
    ("classroom.view", WRONG_EXAMPLE),
    ("org.attestations.bulk_list", WRONG_EXAMPLE),
    ("user.attestations.bulk_list", WRONG_EXAMPLE),
    ("issue.blocked_by.remove", NO_RELATION),
    ("issue.sub_issues.remove", NO_RELATION),
    (
        "pr.reviews.dismiss_graphql",
        "the demo's review only comments, so it cannot be dismissed",
    ),
    ("pr.reviews.pending.submit", NO_PENDING_REVIEW),
    ("pr.reviews.submit_graphql", NO_PENDING_REVIEW),
    ("pr.threads.add", NO_PENDING_REVIEW),
    (
        "repo.milestones.update",
        "the simulator changes only the state of a milestone",
    ),
];

const NO_RELATION: &str = "the issues of the demo do not depend on each other";
const NO_PENDING_REVIEW: &str = "the demo has no pending review";
const WRONG_EXAMPLE: &str = "GitHub's example has other types than its description";

#[test]
fn every_generated_card_unpacks_and_takes_no_name_of_another() {
    let catalog = catalog();
    let ids: Vec<_> = catalog.generated().map(|card| card.id).collect();
    assert!(ids.len() > 1100, "{}", ids.len());
    assert_eq!(ids.len(), capstan_cards::GENERATED.len());
    for id in ids {
        let card = catalog.get(id).unwrap();
        assert_eq!(card.id.as_str(), id);
        assert!(!capstan_cards::CARDS.contains(id), "{id}");
        assert!(capstan_cards::CARDS.with_name(id).is_empty(), "{id}");
        let has_route = card.rest.is_some() || card.graphql.is_some();
        assert!(has_route && card.intents.is_empty(), "{id}");
    }
}

/// Runs each card through the binary, over MCP. Operations of REST that the simulator does not model answer with
/// GitHub's own examples.
#[test]
fn every_generated_card_runs() {
    let catalog = catalog();
    let exceptions = BTreeMap::from(EXCEPTIONS);
    let github = Github::demo();
    let world = World::at(Place::new().online(&github), &[]);
    let mut server = world.server();
    let mut wrong = Vec::new();
    for summary in catalog.generated() {
        let card = catalog.get(summary.id).unwrap();
        let route = if card.graphql.is_some() {
            Route::Graphql
        } else {
            Route::Rest
        };
        let mut errors = Vec::new();
        for is_full in [false, true] {
            // The writes of one call must not disturb the next.
            github
                .sim
                .world(|used| Sim::demo().world(|new| std::mem::swap(used, new)));
            let mut input = input_of(&card, is_full);
            name_by_id(&github.sim, summary.id, &mut input);
            let call = json!({
                "capability": summary.id, "input": input, "options": {"route": route.as_str()},
            });
            let envelope = server.execute(&call);
            if envelope["ok"] != true {
                errors.push(format!("{input}: {}", envelope["error"]));
            }
        }
        // Some operations need one of several optional inputs, and some optional inputs exclude others.
        let has_worked = errors.len() < 2;
        if has_worked == exceptions.contains_key(summary.id) {
            wrong.push(format!("{}: {errors:#?}", summary.id));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns an input that the card's schema accepts, with or without what is optional.
fn input_of(card: &Card, is_full: bool) -> Value {
    let mut input = value_of("", &card.input_schema, is_full);
    let id = card.id.as_str();
    for (start, name, value) in OF_THE_DEMO {
        if id.starts_with(start) && input.get(name).is_some() {
            input[name] = serde_json::from_str(value).unwrap();
        }
    }
    input
}

/// Gives the inputs of mutations that take ids those of the demo.
fn name_by_id(sim: &Sim, id: &str, input: &mut Value) {
    let place = match id {
        "issue.comments.delete_graphql" | "issue.comments.update_graphql" => {
            ("id", "/commented/id")
        }
        "reaction.add" | "reaction.remove" => ("subject_id", "/issue/id"),
        "pr.reviews.dismiss_graphql" => ("pull_request_review_id", "/pr/reviews/nodes/0/id"),
        "pr.threads.unresolve" => ("thread_id", "/pr/reviewThreads/nodes/0/id"),
        _ => return,
    };
    let query = r#"{ repository(owner: "acme", name: "rocket") {
        issue(number: 43) { id }
        issues(first: 50) { nodes { comments(first: 1) { nodes { id } } } }
        pr: pullRequest(number: 49) {
            reviews(first: 1) { nodes { id } } reviewThreads(first: 1) { nodes { id } }
        } } }"#;
    let viewer = Viewer::full("maya-chen");
    let body = json!({"query": query});
    let mut found = sim.world(|world| execute(world, &viewer, &body)).json;
    let repository = &mut found["data"]["repository"];
    let issues = repository["issues"]["nodes"].as_array().unwrap();
    let mut comments = issues.iter().map(|issue| &issue["comments"]["nodes"][0]);
    repository["commented"] = comments.find(|it| it.is_object()).unwrap().clone();
    let (name, pointer) = place;
    let known = found["data"]["repository"].pointer(pointer);
    assert!(known.is_some_and(Value::is_string), "{found}");
    input[name] = known.unwrap().clone();
}

/// What the demo has, for the inputs of cards whose ids begin alike.
const OF_THE_DEMO: [(&str, &str, &str); 31] = [
    ("", "labels", r#"["bug"]"#),
    ("", "label", r#""bug""#),
    ("", "issue_type", r#""Bug""#),
    ("", "category", r#""General""#),
    ("", "assignees", r#"["maya-chen"]"#),
    ("", "users", r#"["maya-chen"]"#),
    ("", "reviewers", r#"["akira-mori"]"#),
    ("", "pr_number", "49"),
    ("", "issue_number", "43"),
    ("", "run_id", "1227"),
    ("", "workflow_id", "1214"),
    ("", "job_id", "122701"),
    ("", "release_id", "1212"),
    ("", "review_id", "1200"),
    ("", "username", r#""maya-chen""#),
    ("", "template_owner", r#""acme""#),
    ("", "template_repo", r#""rocket""#),
    ("project_v2.workflows", "workflow_id", r#""PWF_1""#),
    ("repo.labels", "color", r#""d73a4a""#),
    ("pr.review_comments", "comment_id", "1202"),
    ("issue.comments", "comment_id", "1039"),
    ("release.tags", "tag", r#""v1.0.0""#),
    ("repo.contents.view", "path", r#""README.md""#),
    ("repo.contents.raw.view", "path", r#""README.md""#),
    ("repo.labels.delete", "name", r#""bug""#),
    ("repo.labels.update", "name", r#""bug""#),
    ("repo.labels.view", "name", r#""bug""#),
    ("pr.review_comments.create", "in_reply_to", "1202"),
    ("pr.reviews.request", "reviewers", r#"["akira-mori"]"#),
    ("pr.reviews.request", "team_reviewers", "[]"),
    ("pr.stacks.create", "pull_requests", "[49, 48]"),
];

fn value_of(name: &str, schema: &Value, is_full: bool) -> Value {
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    if let Some(first) = schema["anyOf"].as_array().and_then(|values| values.first()) {
        return value_of(name, first, is_full);
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first().and_then(Value::as_str),
        kind => kind.as_str(),
    };
    match kind {
        Some("object") => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let is_wanted = |name: &String| {
                (is_full && name != "after") || required.iter().any(|known| known == name)
            };
            let fields = schema["properties"].as_object().into_iter().flatten();
            let fields = fields.filter(|(name, _)| is_wanted(name));
            let fields: Map<String, Value> = fields
                .map(|(name, schema)| (name.clone(), value_of(name, schema, is_full)))
                .collect();
            Value::Object(fields)
        }
        Some("array") => json!([value_of(name, &schema["items"], is_full)]),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("null") => Value::Null,
        _ => json!(text_of(name)),
    }
}

/// Returns a text that fits an input of this name.
fn text_of(name: &str) -> &str {
    match name {
        "owner" | "org" | "to_owner" | "project_owner" => "acme",
        "repo" | "to_repo" => "rocket",
        "username" => "octocat",
        "since" | "until" | "before" | "started_at" | "completed_at" | "due_on" => {
            "2026-01-01T00:00:00Z"
        }
        _ => "main",
    }
}
