//! Which route is taken and why, what is said when there is none, and what a trace adds.

use std::collections::BTreeSet;

use capstan_catalog::load_text;
use capstan_core::card::Card;
use capstan_core::{
    AttemptMeta, AttemptStatus, ErrorCode, Options, ResultEnvelope, Route, RouteReason, Source,
};
use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use crate::support::{Bench, Setup};

/// One choice of a route.
struct Choice {
    name: &'static str,
    setup: Setup,
    /// Goes wrong whenever GraphQL is used.
    fault: Option<FaultKind>,
    capability: &'static str,
    input: Value,
    route: Option<Route>,
    taken: Route,
    reason: RouteReason,
}

impl Choice {
    /// The demo, nothing special: `issue.view` on its preferred route.
    fn new(name: &'static str, taken: Route, reason: RouteReason) -> Self {
        Self {
            name,
            setup: Setup::default(),
            fault: None,
            capability: "issue.view",
            input: issue(),
            route: None,
            taken,
            reason,
        }
    }
}

#[tokio::test]
async fn every_reason_occurs_where_it_should() {
    let mut reasons = BTreeSet::new();
    for choice in choices() {
        let bench = Bench::set_up(choice.setup).await;
        if let Some(fault) = choice.fault {
            bench.sim.inject(Fault::always(fault).on_graphql());
        }
        let options = Options {
            route: choice.route,
            ..Options::default()
        };
        let envelope = bench.run(choice.capability, &choice.input, options).await;
        assert!(envelope.ok, "{}: {:?}", choice.name, envelope.error);
        assert_eq!(
            envelope.meta.route_used,
            Some(choice.taken),
            "{}",
            choice.name
        );
        assert_eq!(envelope.meta.reason, Some(choice.reason), "{}", choice.name);
        reasons.insert(serde_json::to_string(&choice.reason).unwrap());
    }
    let all = [
        "\"CAPABILITY_LIMIT\"",
        "\"CARD_FALLBACK\"",
        "\"CARD_PREFERRED\"",
        "\"DEFAULT_POLICY\"",
        "\"ENV_CONSTRAINT\"",
        "\"PREFLIGHT_FAILED\"",
    ];
    assert_eq!(reasons.iter().map(String::as_str).collect::<Vec<_>>(), all);
}

fn choices() -> Vec<Choice> {
    let list = |more: Value| {
        let mut input = json!({"owner": "acme", "repo": "rocket", "first": 5});
        let fields = input.as_object_mut().unwrap();
        fields.extend(more.as_object().cloned().unwrap());
        input
    };
    vec![
        Choice::new("as preferred", Route::Graphql, RouteReason::CardPreferred),
        Choice {
            route: Some(Route::Graphql),
            ..Choice::new(
                "the preferred one forced",
                Route::Graphql,
                RouteReason::CardPreferred,
            )
        },
        Choice {
            fault: Some(FaultKind::Status500),
            ..Choice::new(
                "the preferred one fails",
                Route::Rest,
                RouteReason::CardFallback,
            )
        },
        Choice {
            setup: Setup {
                token: None,
                ..Setup::default()
            },
            ..Choice::new(
                "no token, but a gh",
                Route::Cli,
                RouteReason::PreflightFailed,
            )
        },
        Choice {
            setup: Setup {
                gh: None,
                cards: vec![ticket("preferred: cli\n  fallbacks: [rest]")],
                ..Setup::default()
            },
            capability: "ticket.view",
            ..Choice::new("no gh", Route::Rest, RouteReason::PreflightFailed)
        },
        Choice {
            route: Some(Route::Rest),
            ..Choice::new(
                "another one forced",
                Route::Rest,
                RouteReason::EnvConstraint,
            )
        },
        Choice {
            setup: allow(&[Route::Cli, Route::Rest]),
            ..Choice::new("switched off", Route::Rest, RouteReason::EnvConstraint)
        },
        Choice {
            setup: Setup {
                cards: vec![ticket(
                    "preferred: graphql\n  fallbacks: [rest]\n  suitability:\n    - { route: graphql, when: env, predicate: '$env.host != \"github.com\"', reason: elsewhere }",
                )],
                ..Setup::default()
            },
            capability: "ticket.view",
            ..Choice::new(
                "a rule about the host",
                Route::Rest,
                RouteReason::EnvConstraint,
            )
        },
        Choice {
            setup: Setup {
                cards: vec![ticket(
                    "preferred: graphql\n  fallbacks: [rest]\n  suitability:\n    - { route: graphql, when: params, predicate: issue_number != 1, reason: not the first }",
                )],
                ..Setup::default()
            },
            capability: "ticket.view",
            ..Choice::new(
                "a rule that the input breaks",
                Route::Rest,
                RouteReason::CapabilityLimit,
            )
        },
        Choice {
            setup: Setup {
                cards: vec![ticket(
                    "preferred: graphql\n  fallbacks: [rest]\n  suitability:\n    - { route: graphql, when: params, predicate: issue_number == 1, reason: only the first }",
                )],
                ..Setup::default()
            },
            capability: "ticket.view",
            ..Choice::new(
                "a rule that the input keeps",
                Route::Graphql,
                RouteReason::CardPreferred,
            )
        },
        Choice {
            capability: "issue.list",
            input: list(json!({"after": "page:2", "first": 30})),
            ..Choice::new(
                "a counted cursor",
                Route::Rest,
                RouteReason::CapabilityLimit,
            )
        },
        Choice {
            capability: "issue.list",
            input: list(json!({"author": "app/nobody"})),
            ..Choice::new(
                "what GraphQL cannot filter by",
                Route::Rest,
                RouteReason::CapabilityLimit,
            )
        },
        Choice {
            setup: Setup {
                cards: vec![labels()],
                ..Setup::default()
            },
            capability: "ticket.labels",
            input: list(json!({"first": 6})),
            ..Choice::new(
                "a page that is too large",
                Route::Rest,
                RouteReason::CapabilityLimit,
            )
        },
        Choice {
            setup: Setup {
                cards: vec![labels()],
                ..Setup::default()
            },
            capability: "ticket.labels",
            input: list(json!({"first": 5})),
            ..Choice::new(
                "a page that just fits",
                Route::Graphql,
                RouteReason::CardPreferred,
            )
        },
        Choice {
            setup: Setup {
                cards: vec![ticket("notes: [whichever]")],
                ..Setup::default()
            },
            capability: "ticket.view",
            ..Choice::new("no preference", Route::Graphql, RouteReason::DefaultPolicy)
        },
    ]
}

#[tokio::test]
async fn graphql_cursors_stay_with_graphql() {
    let bench = Bench::demo().await;
    let mut input = json!({"owner": "acme", "repo": "rocket", "first": 2});
    let first = bench
        .run("repo.labels.list", &input, Options::default())
        .await;
    input["after"] = json!(first.meta.pagination.unwrap().end_cursor.unwrap());
    let second = bench
        .run("repo.labels.list", &input, Options::default())
        .await;
    assert_eq!(second.meta.route_used, Some(Route::Graphql));
    for route in [Route::Rest, Route::Cli] {
        let envelope = bench.run_on(route, "repo.labels.list", &input).await;
        let error = envelope.error.unwrap();
        assert_eq!(error.code, ErrorCode::AdapterUnsupported, "{route}");
        assert!(
            error.message.contains("GraphQL cursor"),
            "{route}: {}",
            error.message
        );
        assert_eq!(envelope.meta.route_used, None, "{route}: none was used");
    }
}

#[tokio::test]
async fn without_any_route_each_ones_obstacle_is_named() {
    let nothing = Setup {
        token: None,
        gh: None,
        ..Setup::default()
    };
    let logged_out = Setup {
        token: None,
        gh_token: None,
        ..Setup::default()
    };
    let no_token = "no token: set GITHUB_TOKEN or run `gh auth login`";
    let cases = [
        (
            nothing,
            None,
            ErrorCode::Auth,
            format!(
                "graphql: {no_token}; rest: {no_token}; cli: `gh` is not installed: see https://cli.github.com"
            ),
        ),
        (
            logged_out,
            None,
            ErrorCode::Auth,
            format!(
                "graphql: {no_token}; rest: {no_token}; cli: `gh` is not logged in to github.com: run `gh auth login --hostname github.com`"
            ),
        ),
        (
            allow(&[]),
            None,
            ErrorCode::AdapterUnsupported,
            "graphql: graphql is switched off in the configuration; rest: rest is switched off in the configuration; cli: cli is switched off in the configuration".to_owned(),
        ),
        (
            allow(&[Route::Graphql]),
            Some(Route::Rest),
            ErrorCode::AdapterUnsupported,
            "graphql: the caller asked for rest; rest: rest is switched off in the configuration; cli: the caller asked for rest".to_owned(),
        ),
    ];
    for (setup, route, code, obstacles) in cases {
        let bench = Bench::set_up(setup).await;
        let options = Options {
            route,
            ..Options::default()
        };
        let envelope = bench.run("issue.view", &issue(), options).await;
        let error = envelope.error.unwrap();
        assert_eq!(error.code, code, "{obstacles}");
        assert_eq!(
            error.message,
            format!("no route can run issue.view: {obstacles}")
        );
        assert!(!error.retryable);
        assert_eq!(
            (envelope.meta.route_used, envelope.meta.reason),
            (None, None)
        );
        assert!(bench.sim.requests().is_empty());
    }
}

#[tokio::test]
async fn a_route_that_the_card_lacks_is_refused_before_anything_else() {
    let bench = Bench::demo().await;
    let input = json!({"owner": "acme", "repo": "rocket"});
    let envelope = bench
        .run_on(Route::Graphql, "workflow.runs.list", &input)
        .await;
    let error = envelope.error.unwrap();
    assert_eq!(error.code, ErrorCode::AdapterUnsupported);
    assert!(
        error.message.contains("has no graphql route; it has"),
        "{}",
        error.message
    );
    assert!(bench.sim.requests().is_empty());
}

#[tokio::test]
async fn a_trace_tells_every_attempt_in_order() {
    let bench = Bench::demo().await;
    bench
        .sim
        .inject(Fault::always(FaultKind::Status503).on_graphql());
    let attempts = trace(bench.run("issue.view", &issue(), traced()).await);
    let failed = (
        Route::Graphql,
        AttemptStatus::Error,
        Some(ErrorCode::Server),
    );
    let answered = (Route::Rest, AttemptStatus::Success, None);
    assert_eq!(summary(&attempts), [failed, failed, failed, answered]);
    assert!(attempts.iter().all(|attempt| attempt.duration_ms.is_some()));
    assert!(
        attempts[0]
            .detail
            .as_ref()
            .unwrap()
            .contains("No server is currently available")
    );
    assert_eq!(attempts[3].detail, None);

    let bench = Bench::set_up(Setup {
        token: None,
        ..Setup::default()
    })
    .await;
    let attempts = trace(bench.run("issue.view", &issue(), traced()).await);
    let skipped = |route| (route, AttemptStatus::Skipped, None);
    let answered = (Route::Cli, AttemptStatus::Success, None);
    assert_eq!(
        summary(&attempts),
        [skipped(Route::Graphql), skipped(Route::Rest), answered]
    );
    assert!(attempts[0].detail.as_ref().unwrap().contains("no token"));

    // Lookups count: they are requests too.
    let bench = Bench::demo().await;
    let attempts = trace(bench.run("issue.close", &issue(), traced()).await);
    let answered = (Route::Graphql, AttemptStatus::Success, None);
    assert_eq!(summary(&attempts), [answered, answered]);

    // An answer that says no is no success.
    let missing = json!({"owner": "acme", "repo": "rocket", "issue_number": 4711});
    let attempts = trace(bench.run("issue.view", &missing, traced()).await);
    let refused = (
        Route::Graphql,
        AttemptStatus::Error,
        Some(ErrorCode::NotFound),
    );
    assert_eq!(summary(&attempts), [refused]);
}

#[tokio::test]
async fn without_a_trace_the_same_question_gives_the_same_bytes() {
    let cases = [
        ("issue.view", issue(), None),
        ("issue.view", issue(), Some(FaultKind::Status503)),
        (
            "issue.list",
            json!({"owner": "acme", "repo": "rocket"}),
            None,
        ),
        ("issue.close", issue(), None),
        ("issue.close", issue(), Some(FaultKind::ResetAfter)),
        (
            "issue.view",
            json!({"owner": "acme", "repo": "rocket", "issue_number": 4711}),
            None,
        ),
        ("issue.view", json!({"owner": "acme"}), None),
        ("issue.veiw", issue(), None),
    ];
    for (capability, input, fault) in cases {
        let mut runs = BTreeSet::new();
        for _ in 0..2 {
            let bench = Bench::demo().await;
            if let Some(fault) = &fault {
                bench.sim.inject(Fault::always(fault.clone()).on_graphql());
            }
            let envelope = bench.run(capability, &input, Options::default()).await;
            assert_eq!(
                (&envelope.meta.timings, &envelope.meta.attempts),
                (&None, &None)
            );
            runs.insert(serde_json::to_string(&envelope).unwrap());
        }
        assert_eq!(runs.len(), 1, "{capability} {input}: {runs:#?}");
    }
}

fn issue() -> Value {
    json!({"owner": "acme", "repo": "rocket", "issue_number": 1})
}

fn allow(routes: &[Route]) -> Setup {
    let mut setup = Setup::default();
    setup.settings.routes = routes.to_vec();
    setup
}

fn traced() -> Options {
    Options {
        trace: true,
        ..Options::default()
    }
}

fn trace(envelope: ResultEnvelope) -> Vec<AttemptMeta> {
    let timings = envelope.meta.timings.unwrap();
    assert!(timings.adapter_ms <= timings.total_ms, "{timings:?}");
    envelope.meta.attempts.unwrap()
}

fn summary(attempts: &[AttemptMeta]) -> Vec<(Route, AttemptStatus, Option<ErrorCode>)> {
    let summary = |attempt: &AttemptMeta| (attempt.route, attempt.status, attempt.error_code);
    attempts.iter().map(summary).collect()
}

/// A small card on three routes with this `routing`.
fn ticket(routing: &str) -> Card {
    card(&format!(
        r#"
capability_id: ticket.view
version: "1.0.0"
description: The title of an issue.
operation: READ
input_schema:
  type: object
  required: [owner, repo, issue_number]
  properties:
    owner: {{ type: string }}
    repo: {{ type: string }}
    issue_number: {{ type: integer }}
output_schema:
  type: object
  required: [title]
  properties:
    title: {{ type: string }}
routing:
  {routing}
graphql:
  operation: Ticket
  variables: {{ name: repo, number: issue_number }}
  output: {{ root: repository.issue, fields: {{ title: title }} }}
rest:
  method: GET
  path: /repos/{{owner}}/{{repo}}/issues/{{issue_number}}
  output: {{ fields: {{ title: title }} }}
cli:
  command: issue view
  args: ["{{issue_number}}", "--repo={{owner}}/{{repo}}"]
  json_fields: [title]
  output: {{ fields: {{ title: title }} }}
"#
    ))
}

#[tokio::test]
async fn what_a_card_accepts_is_asked_for_over_rest_and_by_gh() {
    let bench = Bench::set_up(Setup {
        cards: vec![search()],
        ..Setup::default()
    })
    .await;
    for route in [Route::Rest, Route::Cli] {
        let input = json!({"words": "\"ice warning\""});
        let found = bench.run_on(route, "ticket.search", &input).await;
        let data = found.data.expect("data");
        assert_eq!(data["found_in"], json!(["IssueComment"]), "{route}");
    }
}

/// A search that says where it found the words only if it is asked to.
fn search() -> Card {
    card(
        r#"
capability_id: ticket.search
version: "1.0.0"
description: Where words are.
operation: READ
input_schema:
  type: object
  required: [words]
  properties:
    words: { type: string }
output_schema:
  type: object
  required: [found_in]
  properties:
    found_in: { type: array }
no_graphql: It does not say where.
rest:
  method: GET
  path: /search/issues
  accept: application/vnd.github.text-match+json
  query: { q: "repo:acme/rocket {words}" }
  output: { fields: { found_in: "items[0].text_matches[].object_type" } }
cli:
  api: rest
"#,
    )
}

/// A list of which GraphQL gives at most five.
fn labels() -> Card {
    card(
        r#"
capability_id: ticket.labels
version: "1.0.0"
description: The labels of a repository.
operation: READ
input_schema:
  type: object
  required: [owner, repo]
  properties:
    owner: { type: string }
    repo: { type: string }
    first: { type: integer }
    after: { type: string }
output_schema:
  type: object
  required: [labels]
  properties:
    labels: { type: array }
list: { field: labels, empty: none }
routing: { preferred: graphql, fallbacks: [rest] }
graphql:
  operation: Labels
  variables: { name: repo }
  output:
    root: repository.labels
    fields: { labels: { each: nodes, fields: { name: name } } }
  pagination:
    has_next_page: repository.labels.pageInfo.hasNextPage
    end_cursor: repository.labels.pageInfo.endCursor
  limits: { max_page_size: 5 }
rest:
  method: GET
  path: /repos/{owner}/{repo}/labels
  query: { per_page: "{$page.size}", page: "{$page.number}" }
  output: { fields: { labels: { each: ., fields: { name: name } } } }
  pagination: {}
"#,
    )
}

fn card(yaml: &str) -> Card {
    let document = r"
query Ticket($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) { title } }
}

query Labels($owner: String!, $name: String!, $first: Int, $after: String) {
  repository(owner: $owner, name: $name) {
    labels(first: $first, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } }
  }
}
";
    let source = Source::new("ticket.yaml", yaml);
    load_text(&source, |_| Ok(Source::new("ticket.graphql", document))).expect("a good card")
}
