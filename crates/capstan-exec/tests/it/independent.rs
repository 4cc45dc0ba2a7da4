//! Steps that have nothing to do with each other: reads do not wait for writes, and a bad step keeps none from running.

use std::sync::Arc;
use std::time::Duration;

use capstan_core::port::Clock as _;
use capstan_exec::RunContext;

use crate::support::failures::{forbidden, reset};
use crate::support::{
    Bench, Effect, Other, bench, check, log_text, once, read, refused, row, set, targets, write,
};

fn independent() -> Bench {
    bench().independent()
}

#[test]
fn reads_do_not_wait_for_writes() {
    check([
        row(
            "a read after a write",
            independent(),
            [write("a"), read("b")],
            "m[a] + q[b]",
            "ok ok",
        ),
        row(
            "with lookups",
            independent(),
            [set("a", "x"), read("b"), read("c")],
            "q[?a b c] | m[a=x]",
            "ok ok ok",
        ),
        row(
            "writes keep their order",
            independent().chunks(9, 1),
            [write("a"), read("b"), write("c")],
            "m[a] + q[b] + m[c]",
            "ok ok ok",
        ),
        row(
            "a failure is its own",
            independent()
                .fault(once(Effect::Refuse(forbidden())).on_writes())
                .chunks(9, 1),
            [write("a"), write("b")],
            "m[a] | m[b]",
            "AUTH:not_applied ok",
        ),
        row(
            "nothing is written after doubt",
            independent()
                .fault(once(Effect::Lose(reset())).on_writes())
                .chunks(9, 1),
            [write("a"), write("b")],
            "m[a]",
            "NETWORK:unknown CANCELLED:not_applied",
        ),
    ]);
}

/// A bad step has no place among those that run; the others keep theirs.
#[test]
fn a_bad_step_keeps_none_from_running() {
    let bench = independent();
    let steps = [
        read("a"),
        read("bad"),
        write("b"),
        read("worse").with("basis", 7),
    ];
    let spec = bench.spec(&steps);
    let mut targets = targets(&steps);
    targets[1] = refused();
    let prepared = bench.executor().prepare(&spec, targets);
    let problems: Vec<_> = prepared
        .problems
        .iter()
        .map(|(index, error)| (*index, error.code.as_str()))
        .collect();
    assert_eq!(problems, [(1, "NOT_FOUND"), (3, "VALIDATION")]);
    let places: Vec<_> = prepared
        .ready
        .iter()
        .map(|step| (step.index, step.place))
        .collect();
    assert_eq!(places, [(0, 0), (2, 2)]);
    let observer = bench.observer();
    let context = RunContext {
        deadline: bench.clock.now() + Duration::from_secs(60),
        in_order: false,
        fail_fast: false,
        passes_on: false,
        cancel: None,
        delegate: &Other(Arc::clone(&bench.world)),
        observer: &observer,
        watch: &|_| {},
    };
    let end = bench
        .clock
        .drive(bench.executor().run(&prepared.ready, context));
    assert!(end.steps.iter().all(|step| step.result.is_ok()));
    assert_eq!(log_text(&bench.world.log()), "m[b] + q[a]");
}

#[test]
fn a_chain_has_at_most_a_thousand_steps() {
    let bench = bench();
    for (count, problems) in [(1000, 0), (1001, 1001)] {
        let steps = vec![read("a"); count];
        let spec = bench.spec(&steps);
        let prepared = bench.executor().prepare(&spec, targets(&steps));
        assert_eq!(
            (prepared.ready.len(), prepared.problems.len()),
            (count - problems, problems)
        );
    }
}
