//! When a request is sent again, and when: reads a few times, writes only if they did not happen.

use std::time::Duration;

use capstan_core::Route;
use capstan_core::card::Operation;
use capstan_core::port::Failure;

use crate::support::failures::{broken, forbidden, limited, not_connected, not_found, reset};
use crate::support::{
    Bench, Effect, always, bench, check, check_timed, labels, once, own, patient, read, read_post,
    read_rest, remark, row, set, tool_read, tool_write, write, write_rest,
};

/// GraphQL alone, so that nothing goes another way.
fn failing(failure: Failure) -> Bench {
    bench().fault(always(Effect::Refuse(failure)))
}

fn failing_once(failure: Failure) -> Bench {
    bench().fault(once(Effect::Refuse(failure)))
}

#[test]
fn reads_are_repeated() {
    check([
        row(
            "once",
            failing_once(reset()),
            [read("a")],
            "q[a] | q[a]",
            "ok",
        ),
        row(
            "three times in all",
            failing(reset()),
            [read("a")],
            "q[a] | q[a] | q[a]",
            "NETWORK!",
        ),
        row(
            "together",
            failing_once(broken()),
            [read("a"), read("b")],
            "q[a b] | q[a b]",
            "ok ok",
        ),
        row(
            "over REST",
            failing(broken()),
            [read_rest("a")],
            "rest[a] | rest[a] | rest[a]",
            "SERVER!",
        ),
        row(
            "by POST, and then through gh",
            failing(broken()),
            [read_post("a")],
            "rest[a] | rest[a] | rest[a] | gh[a] | gh[a] | gh[a]",
            "SERVER!",
        ),
        row(
            "of a server",
            failing(broken()),
            [tool_read("s", "a")],
            "mcp[s.a] | mcp[s.a] | mcp[s.a]",
            "SERVER!",
        ),
        row(
            "lookups",
            failing_once(broken()),
            [set("a", "x")],
            "q[?a] | q[?a] | m[a=x]",
            "ok",
        ),
        row(
            "lookups for ever",
            failing(broken()),
            [set("a", "x")],
            "q[?a] | q[?a] | q[?a]",
            "SERVER!:not_applied",
        ),
        row(
            "not what would be the same again",
            failing(forbidden()),
            [read("a")],
            "q[a]",
            "AUTH",
        ),
        row(
            "not what is not there",
            failing(not_found()),
            [read_rest("a")],
            "rest[a]",
            "NOT_FOUND",
        ),
        row(
            "not what must not be",
            failing(Failure {
                error: reset().error.not_retryable(),
                ..reset()
            }),
            [read("a")],
            "q[a]",
            "NETWORK",
        ),
    ]);
}

#[test]
fn writes_are_repeated_only_when_they_did_not_happen() {
    check([
        row(
            "it did not happen",
            failing_once(not_connected()),
            [write("a")],
            "m[a] | m[a]",
            "ok",
        ),
        row(
            "it never happens",
            failing(not_connected()),
            [write("a")],
            "m[a] | m[a] | m[a]",
            "NETWORK!:not_applied",
        ),
        row(
            "it may have happened",
            failing(reset()),
            [write("a")],
            "m[a]",
            "NETWORK:unknown",
        ),
        row(
            "it may have happened, GitHub says",
            failing(broken()),
            [write("a"), write("b")],
            "m[a b]",
            "SERVER:unknown SERVER:unknown",
        ),
        row(
            "over REST",
            failing(reset()),
            [write_rest("a")],
            "rest![a]",
            "NETWORK:unknown",
        ),
        row(
            "of a server",
            failing(reset()),
            [tool_write("s", "a")],
            "mcp![s.a]",
            "NETWORK:unknown",
        ),
        row(
            "of a server that was not reached",
            failing_once(not_connected()),
            [tool_write("s", "a")],
            "mcp![s.a] | mcp![s.a]",
            "ok",
        ),
        row(
            "it happened",
            bench().fault(always(Effect::Lose(Failure {
                outcome: capstan_core::Outcome::Applied,
                ..broken()
            }))),
            [write("a"), write("b")],
            "m[a b]",
            "SERVER:applied SERVER:applied",
        ),
        row(
            "one of two",
            bench().fault(once(Effect::Beside(labels(&["b"]), not_connected()))),
            [write("a"), write("b")],
            "m[a b] | m[b]",
            "ok ok",
        ),
    ]);
}

/// What code did before it failed, it would do again.
#[test]
fn code_skills_and_own_work_are_never_repeated() {
    for route in [Route::Code, Route::Skill, Route::Local] {
        for operation in [Operation::Read, Operation::Write] {
            let ran = failing(not_connected()).run(&[own(route, operation, "a")]);
            assert_eq!(ran.log.len(), 1, "{route} {operation:?}");
        }
    }
}

#[test]
fn what_its_caller_repeats_is_sent_once() {
    check([
        row(
            "a read",
            failing(broken()),
            [read("a").once()],
            "q[a]",
            "SERVER!",
        ),
        row(
            "a write",
            failing(not_connected()),
            [write("a").once()],
            "m[a]",
            "NETWORK!:not_applied",
        ),
        row(
            "a lookup",
            failing(broken()),
            [set("a", "x").once()],
            "q[?a]",
            "SERVER!:not_applied",
        ),
        row(
            "the others are repeated",
            failing_once(broken()),
            [read("a").once(), read("b")],
            "q[a b] | q[b]",
            "SERVER! ok",
        ),
        row(
            "it is not to blame",
            bench().fault(always(Effect::Blame(
                labels(&["b"]),
                Vec::new(),
                forbidden(),
            ))),
            [read("a").once(), read("b")],
            "q[a b] | q[a]",
            "ok AUTH",
        ),
    ]);
}

#[test]
fn github_says_how_long_to_wait() {
    check_timed([
        row(
            "a read",
            failing_once(limited(5)),
            [read("a")],
            "0s q[a] | 6s q[a]",
            "ok",
        ),
        row(
            "a write",
            failing_once(limited(5)),
            [write("a")],
            "0s m[a] | 6s m[a]",
            "ok",
        ),
        row(
            "each time",
            failing(limited(5)),
            [read("a")],
            "0s q[a] | 6s q[a] | 12s q[a]",
            "RATE_LIMIT!",
        ),
        row(
            "as long as there is time",
            failing_once(limited(58)),
            [read("a")],
            "0s q[a] | 59s q[a]",
            "ok",
        ),
        row(
            "not longer",
            failing_once(limited(59)),
            [read("a")],
            "0s q[a]",
            "RATE_LIMIT!",
        ),
    ]);
}

#[test]
fn waits_double_and_vary() {
    let mut first = Vec::new();
    for seed in 0..20 {
        let bench = failing(broken());
        fastrand::seed(seed);
        let ran = bench.run(&[read("a")]);
        let [one, two] = ran.waits[..] else {
            panic!("{:?}", ran.waits);
        };
        assert!((125..=250).contains(&one.as_millis()), "{one:?}");
        assert!((250..=500).contains(&two.as_millis()), "{two:?}");
        first.push(one);
    }
    first.dedup();
    assert!(first.len() > 10, "{first:?}");
}

#[test]
fn a_retry_that_would_come_too_late_is_not_waited_for() {
    let ran = failing(broken()).timeout(1).run(&[read("a")]);
    assert_eq!(
        (ran.sent().as_str(), ran.ends().as_str()),
        ("q[a]", "SERVER!")
    );
    assert_eq!(ran.waits, Vec::<Duration>::new());
}

/// A write that has to wait holds up those behind it, and those before it are not sent again.
#[test]
fn a_write_that_has_to_wait_keeps_its_place() {
    let refused = || {
        bench()
            .chunks(9, 1)
            .fault(once(Effect::Refuse(limited(5))).with("a+2"))
    };
    let ran = refused().run(&[remark("a", "1"), remark("a", "2"), remark("a", "3")]);
    assert_eq!(
        ran.timed(),
        "0s q[?a] | 1s m[a+1] | 2s m[a+2] | 8s m[a+2] | 9s m[a+3]"
    );
    assert_eq!(ran.remarks("a"), "1 2 3");
}

#[test]
fn what_github_is_still_computing_is_asked_for_again() {
    let ran = bench().value("a", "computing").run(&[patient("a", "x")]);
    // In the end it is judged as it is.
    assert_eq!(ran.sent(), "q[?a] | q[?a] | q[?a] | m[a=x]");
    assert_eq!(ran.ends(), "ok");
    let ran = bench().run(&[patient("a", "x")]);
    assert_eq!(ran.sent(), "q[?a] | m[a=x]");
}
