//! Nothing is begun that cannot be finished in time: a write would be in doubt for no reason.

use std::time::Duration;

use capstan_core::Route;
use capstan_core::card::Operation;

use crate::support::failures::{limited, reset, unsupported};
use crate::support::{
    Effect, always, bench, check_timed, once, own, read, read_any, read_rest, remark, row, set,
    tool_write, write,
};

#[test]
fn nothing_is_begun_after_the_end() {
    check_timed([
        row(
            "writes",
            bench().chunks(9, 1).timeout(2),
            [write("a"), write("b"), write("c")],
            "0s m[a] | 1s m[b]",
            "ok ok NETWORK!:not_applied",
        ),
        row(
            "a write after its lookup",
            bench().timeout(1),
            [remark("a", "x")],
            "0s q[?a]",
            "NETWORK!:not_applied",
        ),
        row(
            "reads",
            bench().timeout(1),
            [write("a"), read("b"), read_rest("c")],
            "0s m[a]",
            "ok NETWORK! NETWORK!",
        ),
        row(
            "whoever refers",
            bench().timeout(1),
            [read("a"), write("b").after(0), read("c").after(1)],
            "0s q[a]",
            "ok NETWORK!:not_applied CANCELLED",
        ),
        row(
            "tools",
            bench().timeout(1),
            [tool_write("s", "a"), tool_write("s", "b")],
            "0s mcp![s.a]",
            "ok TIMEOUT:not_applied",
        ),
        row(
            "code",
            bench().timeout(1),
            [write("a"), own(Route::Code, Operation::Write, "b")],
            "0s m[a]",
            "ok TIMEOUT:not_applied",
        ),
        row(
            "no time at all",
            bench().timeout(0),
            [read("a"), write("b")],
            "",
            "NETWORK! NETWORK!:not_applied",
        ),
    ]);
}

/// A step that has nothing to do is over when its turn comes; whoever refers to it is late then.
#[test]
fn nothing_is_begun_late_by_a_step_that_had_nothing_to_do() {
    let same = || bench().value("a", "x").timeout(1);
    check_timed([
        row(
            "a write",
            same(),
            [set("a", "x"), write("b").after(0)],
            "0s q[?a]",
            "same NETWORK!:not_applied",
        ),
        row(
            "a read",
            same(),
            [set("a", "x"), read("b").after(0)],
            "0s q[?a]",
            "same NETWORK!",
        ),
    ]);
}

#[test]
fn nothing_goes_another_way_after_the_end() {
    let hanging = always(Effect::Hang { happens: false });
    let failing = always(Effect::Refuse(unsupported())).over(Route::Graphql);
    check_timed([
        row(
            "late",
            bench().timeout(12).fault(hanging),
            [read_any("a")],
            "0s q[a]",
            "NETWORK!",
        ),
        row(
            "just late",
            bench().timeout(1).fault(failing.clone()),
            [read_any("a")],
            "0s q[a]",
            "ADAPTER_UNSUPPORTED",
        ),
        row(
            "in time",
            bench().timeout(2).fault(failing),
            [read_any("a")],
            "0s q[a] | 1s rest[a]",
            "ok",
        ),
    ]);
}

#[test]
fn a_request_has_twelve_seconds_and_code_all_there_are() {
    let deadlines = |timeout, steps: &[_]| -> Vec<u64> {
        let ran = bench().timeout(timeout).run(steps);
        ran.log.iter().map(|sent| sent.deadline.as_secs()).collect()
    };
    let steps = [
        read("a"),
        write("b").after(0),
        own(Route::Local, Operation::Write, "c").after(1),
    ];
    assert_eq!(deadlines(60, &steps), [12, 13, 60]);
    assert_eq!(deadlines(5, &steps), [5, 5, 5]);
    assert_eq!(deadlines(60, &[tool_write("s", "a")]), [60]);
}

/// A write that is under way at the end is in doubt; those behind it were never begun.
#[test]
fn what_is_under_way_at_the_end_is_waited_for_until_then() {
    let hanging = |happens| {
        bench()
            .chunks(9, 1)
            .timeout(8)
            .fault(once(Effect::Hang { happens }).on_writes())
    };
    check_timed([
        row(
            "it happened",
            hanging(true),
            [write("a"), write("b"), read("c")],
            "0s m[a]",
            "NETWORK:unknown NETWORK!:not_applied NETWORK!",
        ),
        row(
            "it did not",
            hanging(false),
            [write("a"), write("b"), read("c")],
            "0s m[a]",
            "NETWORK:unknown NETWORK!:not_applied NETWORK!",
        ),
    ]);
}

/// What is written down before a write leaves may take its time; then it is too late to send it.
#[test]
fn a_write_that_could_not_leave_in_time_does_not_leave() {
    check_timed([
        row(
            "in time",
            bench().slow_observer(3),
            [read("a"), write("b"), read("c")],
            "0s q[a] | 3s m[b] | 4s q[c]",
            "ok ok ok",
        ),
        row(
            "after the end",
            bench().timeout(3).slow_observer(3),
            [read("a"), write("b"), read("c")],
            "0s q[a]",
            "ok NETWORK!:not_applied NETWORK!",
        ),
        row(
            "after the time of a request",
            bench().slow_observer(12),
            [write("b")],
            "",
            "NETWORK!:not_applied",
        ),
        row(
            "code",
            bench().timeout(3).slow_observer(3),
            [own(Route::Code, Operation::Write, "a")],
            "",
            "TIMEOUT:not_applied",
        ),
    ]);
}

#[test]
fn time_that_is_waited_is_not_busy() {
    let pausing = bench().fault(once(Effect::Refuse(limited(5))));
    let ran = pausing.run(&[read("a"), write("b").after(0)]);
    assert_eq!(ran.timed(), "0s q[a] | 6s q[a] | 7s m[b]");
    assert_eq!(ran.chain_end().busy, Duration::from_secs(3));
    let lost = bench().fault(once(Effect::Lose(reset())));
    assert_eq!(
        lost.run(&[write("b")]).chain_end().busy,
        Duration::from_secs(1)
    );
}
