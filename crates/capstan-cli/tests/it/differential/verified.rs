//! A write whose answer was lost is recognized by what it left behind, where its card says how: the
//! answer is then what GitHub's own would have been. What left nothing behind is not.

use std::time::Duration;

use capstan_catalog::Catalog;
use capstan_core::card::Card;
use capstan_core::{ResultEnvelope, Route};
use github_sim::{Fault, FaultKind, Operation, Sim};
use serde_json::json;

use super::case::{Case, Expect};
use super::coverage::all_cases;
use crate::support::Bench;

#[tokio::test]
async fn what_was_done_over_graphql_is_seen() {
    seen_as_if_the_answer_had_come(Route::Graphql).await;
}

#[tokio::test]
async fn what_was_done_over_rest_is_seen() {
    seen_as_if_the_answer_had_come(Route::Rest).await;
}

#[tokio::test]
async fn what_gh_did_is_seen() {
    seen_as_if_the_answer_had_come(Route::Cli).await;
}

#[tokio::test]
async fn what_was_not_done_stays_unknown() {
    for (case, route) in changes(|_, route| route != Route::Cli) {
        let (lost, writes) = run(&case, route, Some(FaultKind::ResetBefore)).await;
        let outcome = lost.error.and_then(|it| it.details.get("outcome").cloned());
        assert_eq!(
            (outcome, writes),
            (Some(json!("unknown")), 1),
            "{} ({}) on {route}",
            case.card,
            case.state
        );
    }
}

#[tokio::test]
async fn what_was_made_stays_unknown() {
    for (case, route) in changes(|card, route| route != Route::Cli && !verifies(card, route)) {
        let (lost, writes) = run(&case, route, Some(FaultKind::ResetAfter)).await;
        let outcome = lost.error.and_then(|it| it.details.get("outcome").cloned());
        assert_eq!(
            (outcome, writes),
            (Some(json!("unknown")), 1),
            "{} ({}) on {route}",
            case.card,
            case.state
        );
    }
}

async fn seen_as_if_the_answer_had_come(route: Route) {
    let mut changes = changes(|card, other| other == route && verifies(card, route));
    if route == Route::Cli {
        // It sends what the other routes send, and takes its time: once for each card will do.
        changes.dedup_by_key(|(case, _)| case.card);
    }
    assert!(changes.len() >= 9, "only {} rows", changes.len());
    let mut problems = Vec::new();
    for (case, route) in changes {
        let (answered, _) = run(&case, route, None).await;
        let (lost, writes) = run(&case, route, Some(FaultKind::ResetAfter)).await;
        let said = !lost.meta.warnings.is_empty();
        if (lost.data.as_ref(), writes, said) != (answered.data.as_ref(), 1, true) {
            problems.push(format!(
                "{} ({}): {writes} writes\n  answered: {:?}\n  lost: {lost:?}",
                case.card, case.state, answered.data
            ));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Every row that changes something, on each of its routes that are wanted.
fn changes(wanted: impl Fn(&Card, Route) -> bool) -> Vec<(Case, Route)> {
    let catalog = Catalog::new(&capstan_cards::CARDS);
    let mut changes = Vec::new();
    for route in Route::GITHUB {
        for case in all_cases() {
            let card = catalog.get(case.card).unwrap();
            let able = card.has_route(route) && !case.unable.contains(&route);
            if case.expect == Expect::Change && able && wanted(&card, route) {
                changes.push((case, route));
            }
        }
    }
    changes
}

fn verifies(card: &Card, route: Route) -> bool {
    let graphql = card.graphql.as_ref();
    match (route, &card.rest) {
        (Route::Rest | Route::Cli, Some(rest)) => rest.verify.is_some(),
        _ => graphql.is_some_and(|graphql| graphql.verify.is_some()),
    }
}

/// What comes of a row in a world of its own, and how many writes were sent.
async fn run(case: &Case, route: Route, wrong: Option<FaultKind>) -> (ResultEnvelope, usize) {
    let sim = Sim::demo();
    sim.world(|world| (case.seed)(world));
    let bench = Bench::with(sim, Duration::from_secs(10)).await;
    if let Some(kind) = wrong {
        bench.sim.inject(Fault::once(kind).on_writes());
    }
    let envelope = bench.run_on(route, case.card, &case.input).await;
    let requests = bench.sim.requests();
    let writes = requests
        .iter()
        .filter(|it| it.operation == Operation::Write);
    (envelope, writes.count())
}
