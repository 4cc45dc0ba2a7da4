//! Which routes are taken, and when another is: never after a write that may have happened.

use capstan_core::port::{Failure, Preflight};
use capstan_core::{AttemptStatus, Route, RouteReason};

use crate::support::failures::{
    broken, forbidden, host_limited, limited, not_connected, reset, too_large, unsupported,
};
use crate::support::{
    Bench, Effect, always, bench, check, labels, once, read, read_any, read_preferring_rest, row,
    set_any, write, write_any,
};

fn without_graphql(failure: Failure) -> Bench {
    bench().fault(always(Effect::Refuse(failure)).over(Route::Graphql))
}

#[test]
fn reads_take_another_route() {
    let only_gh = |failure: Failure| {
        without_graphql(failure.clone()).fault(always(Effect::Refuse(failure)).over(Route::Rest))
    };
    check([
        row(
            "when it cannot do it",
            without_graphql(unsupported()),
            [read_any("a")],
            "q[a] | rest[a]",
            "ok",
        ),
        row(
            "after its retries",
            without_graphql(broken()),
            [read_any("a")],
            "q[a] | q[a] | q[a] | rest[a]",
            "ok",
        ),
        row(
            "when it is too much",
            without_graphql(too_large()),
            [read_any("a")],
            "q[a] | rest[a]",
            "ok",
        ),
        row(
            "and another",
            only_gh(unsupported()),
            [read_any("a")],
            "q[a] | rest[a] | gh[a]",
            "ok",
        ),
        row(
            "not when it would be the same",
            without_graphql(forbidden()),
            [read_any("a")],
            "q[a]",
            "AUTH",
        ),
        row(
            "who has none fails",
            without_graphql(unsupported()),
            [read("a"), read_any("b")],
            "q[a b] | rest[b]",
            "ADAPTER_UNSUPPORTED ok",
        ),
        row(
            "who was all",
            bench().fault(always(Effect::Refuse(unsupported()))),
            [read_any("a")],
            "q[a] | rest[a] | gh[a]",
            "ADAPTER_UNSUPPORTED",
        ),
    ]);
}

#[test]
fn writes_take_another_route_only_when_they_did_not_happen() {
    check([
        row(
            "not reached",
            without_graphql(not_connected()),
            [write_any("a")],
            "m[a] | m[a] | m[a] | rest![a]",
            "ok",
        ),
        row(
            "not supported",
            without_graphql(unsupported()),
            [write_any("a"), write_any("b")],
            "m[a b] | rest![a] | rest![b]",
            "ok ok",
        ),
        row(
            "through gh",
            without_graphql(unsupported()).routes(&[Route::Graphql, Route::Cli]),
            [write_any("a")],
            "m[a] | gh![a]",
            "ok",
        ),
        row(
            "in doubt",
            without_graphql(reset()),
            [write_any("a")],
            "m[a]",
            "NETWORK:unknown",
        ),
        row(
            "in doubt, and nobody can look",
            bench()
                .fault(once(Effect::Lose(reset())).on_writes())
                .fault(
                    always(Effect::Refuse(broken()))
                        .over(Route::Graphql)
                        .on_reads()
                        .sparing(1),
                ),
            [set_any("a", "x")],
            "q[?a] | m[a=x] | q[?a] | q[?a] | q[?a]",
            "NETWORK:unknown",
        ),
        row(
            "its lookup never proved anything",
            without_graphql(broken()),
            [set_any("a", "x")],
            "q[?a] | q[?a] | q[?a] | rest[?a] | rest![a=x]",
            "ok",
        ),
        row(
            "with nothing to do there",
            without_graphql(unsupported()).value("a", "x"),
            [set_any("a", "x")],
            "q[?a] | rest[?a]",
            "same",
        ),
        row(
            "verified there",
            without_graphql(unsupported())
                .fault(once(Effect::Lose(reset())).over(Route::Rest).on_writes()),
            [set_any("a", "x")],
            "q[?a] | rest[?a] | rest![a=x] | rest[?a]",
            "seen",
        ),
    ]);
}

/// Whoever was passed by has missed the turn on every route.
#[test]
fn a_write_that_later_ones_have_overtaken_is_not_sent_again() {
    let beside = |name: &str, failure| {
        bench().fault(once(Effect::Beside(labels(&[name]), failure)).on_writes())
    };
    check([
        row(
            "not at once",
            beside("a", not_connected()),
            [write("a"), write("b")],
            "m[a b]",
            "NETWORK!:not_applied ok",
        ),
        row(
            "not after a wait",
            beside("a", limited(3)),
            [write("a"), write("b")],
            "m[a b]",
            "RATE_LIMIT!:not_applied ok",
        ),
        row(
            "not on another route",
            beside("a", unsupported()),
            [write_any("a"), write_any("b")],
            "m[a b]",
            "ADAPTER_UNSUPPORTED:not_applied ok",
        ),
        row(
            "the last is",
            beside("b", unsupported()),
            [write_any("a"), write_any("b")],
            "m[a b] | rest![b]",
            "ok ok",
        ),
        row(
            "in the middle",
            beside("b", not_connected()),
            [write("a"), write("b"), write("c")],
            "m[a b c]",
            "ok NETWORK!:not_applied ok",
        ),
        row(
            "those behind it failed too",
            bench().fault(once(Effect::Beside(labels(&["b", "c"]), not_connected())).on_writes()),
            [write("a"), write("b"), write("c")],
            "m[a b c] | m[b c]",
            "ok ok ok",
        ),
        row(
            "one behind it is in doubt",
            bench().fault(
                once(Effect::BesideEach(vec![
                    ("a".to_owned(), not_connected()),
                    ("b".to_owned(), broken()),
                ]))
                .on_writes(),
            ),
            [write("a"), write("b")],
            "m[a b]",
            "NETWORK!:not_applied SERVER:unknown",
        ),
        row(
            "a read is not overtaken",
            bench().fault(once(Effect::Beside(labels(&["a"]), unsupported()))),
            [read_any("a"), read_any("b")],
            "q[a b] | rest[a]",
            "ok ok",
        ),
    ]);
}

/// The budgets of the APIs are counted apart, but not for many at once, and not where the host asks.
#[test]
fn a_limit_is_passed_by_only_by_one_step() {
    check([
        row(
            "one",
            without_graphql(limited(600)),
            [read_any("a")],
            "q[a] | rest[a]",
            "ok",
        ),
        row(
            "one write",
            without_graphql(limited(600)),
            [write_any("a")],
            "m[a] | rest![a]",
            "ok",
        ),
        row(
            "many",
            without_graphql(limited(600)),
            [read_any("a"), read_any("b")],
            "q[a b]",
            "RATE_LIMIT! RATE_LIMIT!",
        ),
        row(
            "many, and for a while",
            without_graphql(limited(3)),
            [read_any("a"), read_any("b")],
            "q[a b] | q[a b] | q[a b]",
            "RATE_LIMIT! RATE_LIMIT!",
        ),
        row(
            "of the host, for a while",
            without_graphql(host_limited(3)),
            [read_any("a")],
            "q[a] | q[a] | q[a]",
            "RATE_LIMIT!",
        ),
        row(
            "of the host",
            without_graphql(host_limited(600)),
            [read_any("a")],
            "q[a]",
            "RATE_LIMIT!",
        ),
    ]);
}

#[test]
fn graphql_is_preferred_where_many_can_travel() {
    check([
        row("one", bench(), [read_preferring_rest("a")], "rest[a]", "ok"),
        row(
            "two",
            bench(),
            [read_preferring_rest("a"), read_preferring_rest("b")],
            "q[a b]",
            "ok ok",
        ),
        row(
            "and back",
            without_graphql(unsupported()),
            [read_preferring_rest("a"), read_preferring_rest("b")],
            "q[a b] | rest[a] + rest[b]",
            "ok ok",
        ),
        row(
            "unless it is ruled out",
            bench(),
            [read_preferring_rest("a"), read_any("b").on(Route::Rest)],
            "q[a] + rest[b]",
            "ok ok",
        ),
    ]);
}

#[test]
fn routes_that_are_not_ready_are_passed_over() {
    let not_ready =
        |route| bench().preflight(route, Preflight::NotReady("nobody is logged in".to_owned()));
    let unavailable = |bench: Bench, route| {
        bench.preflight(route, Preflight::Unavailable("no such program".to_owned()))
    };
    let nothing = Route::GITHUB.into_iter().fold(bench(), unavailable);
    check([
        row(
            "the first",
            not_ready(Route::Graphql),
            [read_any("a"), read_any("b")],
            "rest[a] + rest[b]",
            "ok ok",
        ),
        row(
            "the only one",
            not_ready(Route::Graphql),
            [read("a")],
            "",
            "AUTH",
        ),
        row(
            "all of them",
            nothing,
            [read_any("a"), write("b")],
            "",
            "ADAPTER_UNSUPPORTED ADAPTER_UNSUPPORTED:not_applied",
        ),
        row(
            "switched off",
            bench().routes(&[Route::Cli]),
            [read_any("a")],
            "gh[a]",
            "ok",
        ),
        row(
            "asked for",
            bench(),
            [read_any("a").on(Route::Cli), read_any("b").on(Route::Rest)],
            "gh[a] + rest[b]",
            "ok ok",
        ),
    ]);
}

#[test]
fn the_route_and_its_reason_are_told() {
    let ran = without_graphql(unsupported()).run(&[read_any("a")]);
    let end = &ran.step_ends()[0];
    assert_eq!(end.route, Some((Route::Rest, RouteReason::CardFallback)));
    let attempts: Vec<_> = end
        .attempts
        .iter()
        .map(|it| (it.route, it.status))
        .collect();
    assert_eq!(
        attempts,
        [
            (Route::Graphql, AttemptStatus::Error),
            (Route::Rest, AttemptStatus::Success)
        ]
    );
    let reasons = |bench: Bench, step| bench.run(&[step]).step_ends()[0].route;
    let preferred = reasons(bench(), read_preferring_rest("a"));
    assert_eq!(preferred, Some((Route::Rest, RouteReason::CardPreferred)));
    let default = reasons(bench(), read_any("a"));
    assert_eq!(default, Some((Route::Graphql, RouteReason::DefaultPolicy)));
    let forced = reasons(bench(), read_any("a").on(Route::Cli));
    assert_eq!(forced, Some((Route::Cli, RouteReason::EnvConstraint)));
}
