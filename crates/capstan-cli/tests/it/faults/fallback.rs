//! When one route fails, another takes over only where that cannot do anything twice.

use capstan_core::{ErrorCode, Options, ResultEnvelope, Route, RouteReason};
use github_sim::{Fault, FaultKind, Operation, Sim, Transport};
use serde_json::json;

use super::cell::{Target, Wrong, result};
use super::table::{Table, run_all};
use crate::support::{Bench, Listening, Setup};

#[tokio::test]
async fn faults_on_the_preferred_route_give_what_the_table_says() {
    let cells =
        cells().map(|(target, wrong)| (name(target, wrong), wrong.hangs(), (target, wrong)));
    let seen = run_all(cells.collect(), prepare, run);
    table().compare(seen.await);
}

#[test]
fn the_table_of_fallbacks_has_a_row_for_each_cell() {
    table().covers(cells().map(|(target, wrong)| name(target, wrong)));
}

#[tokio::test]
async fn what_is_wrong_with_the_request_is_wrong_on_every_route() {
    let refusals = [
        ("NOT_FOUND", ErrorCode::NotFound),
        ("FORBIDDEN", ErrorCode::Auth),
        ("UNPROCESSABLE", ErrorCode::Validation),
        ("STALE_DATA", ErrorCode::Conflict),
    ];
    for (kind, code) in refusals {
        let bench = Bench::demo().await;
        let fault = FaultKind::GraphqlError {
            error_type: kind.to_owned(),
            message: "no".to_owned(),
            path: Some(vec![json!("repository")]),
        };
        bench.sim.inject(Fault::always(fault).on_graphql());
        let envelope = view(&bench).await;
        assert_eq!(envelope.error.unwrap().code, code, "{kind}");
        assert_eq!(envelope.meta.route_used, Some(Route::Graphql), "{kind}");
        assert_eq!(bench.sim.requests().len(), 1, "{kind}");
    }
}

#[tokio::test]
async fn a_github_without_graphql_is_asked_over_rest() {
    let bench = Bench::set_up(Setup {
        graphql_path: "/no/such/graphql",
        ..Setup::default()
    })
    .await;
    for target in [Target::View, Target::Close] {
        let (capability, input) = target.call();
        let envelope = bench.run(capability, &input, Options::default()).await;
        assert!(envelope.ok, "{:?}", envelope.error);
        assert_eq!(envelope.meta.route_used, Some(Route::Rest));
        assert_eq!(envelope.meta.reason, Some(RouteReason::CardFallback));
    }
    assert_eq!(Target::Close.done(&bench.sim), 1);
    assert!(
        bench.clock.sleeps().is_empty(),
        "it will not come into being"
    );
}

#[tokio::test]
async fn a_write_that_nobody_took_goes_through_gh() {
    let bench = Bench::set_up(Setup {
        listening: Listening::ForGh,
        ..Setup::default()
    })
    .await;
    let (capability, input) = Target::Create.call();
    let envelope = bench.run(capability, &input, Options::default()).await;
    assert!(envelope.ok, "{:?}", envelope.error);
    assert_eq!(envelope.meta.route_used, Some(Route::Cli));
    assert_eq!(envelope.meta.reason, Some(RouteReason::CardFallback));
    assert_eq!(Target::Create.done(&bench.sim), 1);
    assert_eq!(
        bench.clock.sleeps().len(),
        4,
        "two waits on each of two routes"
    );
}

#[tokio::test]
async fn the_last_route_speaks_when_all_have_failed() {
    let bench = Bench::demo().await;
    bench.sim.inject(Fault::always(FaultKind::Status503));
    let envelope = view(&bench).await;
    let error = envelope.error.unwrap();
    assert_eq!((error.code, error.retryable), (ErrorCode::Server, true));
    assert_eq!(envelope.meta.route_used, Some(Route::Cli));
    assert_eq!(bench.sim.requests().len(), 9, "three tries on each route");
}

/// Faults on the route that the card prefers, every time; the other routes work.
fn cells() -> impl Iterator<Item = (Target, Wrong)> {
    Target::ALL
        .into_iter()
        .flat_map(|target| Wrong::all().map(move |wrong| (target, wrong)))
}

fn name(target: Target, wrong: Wrong) -> String {
    format!("{target:<12} {:<18}", wrong.name())
}

async fn prepare((target, wrong): (Target, Wrong)) -> (Target, Wrong, Bench) {
    let preferred = match target {
        Target::Create => Route::Rest,
        _ => Route::Graphql,
    };
    let bench = wrong.bench(preferred).await;
    let fault = target.aim(Fault::always(wrong.kind().unwrap()));
    bench.sim.inject(match preferred {
        Route::Rest => fault.on_rest(),
        _ => fault.on_graphql(),
    });
    (target, wrong, bench)
}

/// Result, route and reason, requests (reads + writes) on GraphQL and REST, and how often it was done.
async fn run((target, wrong, bench): (Target, Wrong, Bench)) -> String {
    let (capability, input) = target.call();
    let envelope = bench.run(capability, &input, Options::default()).await;
    let done = target.done(&bench.sim);
    assert!(done <= 1, "{target} {}: done {done} times", wrong.name());
    if target != Target::View {
        let outcome = envelope
            .error
            .as_ref()
            .map(|error| &error.details["outcome"]);
        match outcome.and_then(|outcome| outcome.as_str()) {
            None | Some("applied") => assert_eq!(done, 1, "{target} {}", wrong.name()),
            Some("not_applied") => assert_eq!(done, 0, "{target} {}", wrong.name()),
            Some(other) => assert_eq!(other, "unknown", "{target} {}", wrong.name()),
        }
    }
    let route = envelope.meta.route_used.unwrap();
    let reason = serde_json::to_value(envelope.meta.reason).unwrap();
    format!(
        "{:<12} {:<7} {:<14} {} {} {done}",
        result(&envelope),
        route.as_str(),
        reason.as_str().unwrap(),
        count(&bench.sim, Transport::Graphql),
        count(&bench.sim, Transport::Rest),
    )
}

fn count(sim: &Sim, transport: Transport) -> String {
    let requests = sim.requests();
    let count = |operation| {
        let of_kind = requests.iter().filter(|seen| seen.transport == transport);
        of_kind.filter(|seen| seen.operation == operation).count()
    };
    format!("{}+{}", count(Operation::Read), count(Operation::Write))
}

async fn view(bench: &Bench) -> ResultEnvelope {
    let (capability, input) = Target::View.call();
    bench.run(capability, &input, Options::default()).await
}

fn table() -> Table {
    Table::parse(include_str!("fallback.txt"))
}
