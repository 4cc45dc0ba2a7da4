//! GitHub asks to wait: all steps of a chain keep to what one API asks, and all chains to what the host asks.

use std::time::Duration;

use capstan_core::Route;
use futures_util::future::join;

use crate::support::failures::{broken, host_limited, limited};
use crate::support::{
    Effect, always, bench, check, check_timed, log_text, once, read, read_any, read_rest, remark,
    row, set, tool_read, write,
};

#[test]
fn a_pause_is_one_for_all_steps() {
    let limiting = |failure| bench().chunks(1, 1).fault(once(Effect::Refuse(failure)));
    check_timed([
        row(
            "reads",
            limiting(limited(7)),
            [
                read("a"),
                read("b"),
                read("c"),
                read("d"),
                read("e"),
                read("f"),
            ],
            "0s q[a] + 0s q[b] + 0s q[c] + 0s q[d] | 8s q[a] + 8s q[e] + 8s q[f]",
            "ok ok ok ok ok ok",
        ),
        row(
            "writes",
            limiting(limited(7)),
            [write("a"), write("b")],
            "0s m[a] | 8s m[a] | 9s m[b]",
            "ok ok",
        ),
        row(
            "other routes",
            limiting(limited(7)),
            [read("a"), read("b"), read_rest("c").after(1)],
            "0s q[a] + 0s q[b] | 8s q[a] + 8s rest[c]",
            "ok ok ok",
        ),
        row(
            "not a server",
            limiting(limited(7)),
            [read("a"), tool_read("s", "b"), tool_read("s", "c").after(1)],
            "0s q[a] + 0s mcp[s.b] | 1s mcp[s.c] | 8s q[a]",
            "ok ok ok",
        ),
    ]);
}

/// What has to wait for longer does.
#[test]
fn a_pause_shortens_no_wait() {
    let mut slow = broken();
    slow.retry_after = Some(Duration::from_secs(9));
    let bench = bench()
        .chunks(1, 1)
        .fault(once(Effect::Refuse(slow)).with("a"))
        .fault(once(Effect::Refuse(limited(4))).with("b"));
    check_timed([row(
        "",
        bench,
        [read("a"), read("b")],
        "0s q[a] + 0s q[b] | 5s q[b] | 10s q[a]",
        "ok ok",
    )]);
}

#[test]
fn the_longer_of_two_pauses_counts() {
    let bench = bench()
        .chunks(1, 1)
        .fault(once(Effect::Refuse(limited(9))).with("a"))
        .fault(once(Effect::Refuse(limited(4))).with("b"));
    check_timed([row(
        "",
        bench,
        [read("a"), read("b")],
        "0s q[a] + 0s q[b] | 10s q[a] + 10s q[b]",
        "ok ok",
    )]);
}

/// What is over meanwhile is not held up, and is told.
#[test]
fn who_has_nothing_to_do_is_not_forgotten_while_all_wait() {
    let limiting = bench()
        .value("b", "x")
        .fault(always(Effect::Refuse(limited(7))).on_writes());
    let steps = [remark("a", "x"), set("b", "x"), read("c").after(1)];
    check([row(
        "",
        limiting,
        steps,
        "q[?a ?b] | m[a+x] | m[a+x] | m[a+x] | q[c]",
        "RATE_LIMIT!:not_applied same ok",
    )]);
}

#[test]
fn a_pause_of_the_host_is_one_for_all_chains() {
    let bench = bench().fault(once(Effect::Refuse(host_limited(7))).with("a"));
    let (first, second) = (
        [read("a"), read("b").after(0)],
        [read_rest("c"), write("d").after(0)],
    );
    let both = join(bench.start(&first), bench.start(&second));
    let (first, second) = bench.clock.drive(both);
    assert_eq!(first.timed(), "0s q[a] | 8s q[a] | 9s q[b]");
    // What had left had left; what comes after it waits.
    assert_eq!(second.timed(), "0s rest[c] | 8s m[d]");
    assert_eq!(
        (first.ends().as_str(), second.ends().as_str()),
        ("ok ok", "ok ok")
    );
}

#[test]
fn a_pause_of_one_api_is_none_for_other_chains() {
    let bench = bench().fault(once(Effect::Refuse(limited(7))).with("a"));
    let (first, second) = ([read("a"), read("b")], [read("c"), write("d").after(0)]);
    let (_, second) = bench
        .clock
        .drive(join(bench.start(&first), bench.start(&second)));
    assert_eq!(second.timed(), "0s q[c] | 1s m[d]");
}

/// Whoever comes later keeps to it, too: without sending anything, where it would take too long.
#[test]
fn a_pause_of_the_host_outlives_its_chain() {
    let bench = bench().fault(once(Effect::Refuse(host_limited(100))).on_writes());
    let ran = bench.run(&[write("a")]);
    assert_eq!(
        (ran.sent().as_str(), ran.ends().as_str()),
        ("m[a]", "RATE_LIMIT!:not_applied")
    );
    assert_eq!(ran.failure(0).retry_after, Some(Duration::from_secs(100)));
    bench
        .clock
        .drive(bench.clock.pass(Duration::from_millis(19_500)));
    for steps in [
        vec![read("b")],
        vec![read_any("b"), write("c"), tool_read("s", "d")],
    ] {
        let ran = bench.run(&steps);
        let expected = match steps.len() {
            1 => ("", "RATE_LIMIT!"),
            _ => ("mcp[s.d]", "RATE_LIMIT! RATE_LIMIT!:not_applied ok"),
        };
        assert_eq!((ran.sent().as_str(), ran.ends().as_str()), expected);
        // Whole seconds, so that nobody comes back early.
        assert_eq!(ran.failure(0).retry_after, Some(Duration::from_secs(81)));
        assert_eq!(ran.failure(0).error.details["retry_after_s"], 81);
        assert!(ran.failure(0).error.message.contains("so it is"));
    }
    // Where the rest of it fits, it is waited for.
    bench.clock.drive(bench.clock.pass(Duration::from_secs(50)));
    let ran = bench.run(&[write("e")]);
    assert_eq!(
        (ran.timed().as_str(), ran.ends().as_str()),
        ("101s m[e]", "ok")
    );
    assert_eq!(log_text(&bench.world.log()), "m[a] | mcp[s.d] | m[e]");
}

#[test]
fn a_pause_beyond_the_end_is_not_waited_for() {
    let limiting = |failure| {
        bench()
            .chunks(1, 1)
            .fault(once(Effect::Refuse(failure)).with("a"))
    };
    let slow = || once(Effect::Delay(Duration::from_secs(3))).with("b");
    check_timed([
        row(
            "what is under way is",
            limiting(limited(600)).fault(slow()),
            [read("a"), read("b"), read("c").after(1)],
            "0s q[a] + 0s q[b]",
            "RATE_LIMIT! ok RATE_LIMIT!",
        ),
        row(
            "exactly at the end",
            limiting(limited(59)),
            [write("a"), write("b")],
            "0s m[a]",
            "RATE_LIMIT!:not_applied RATE_LIMIT!:not_applied",
        ),
        row(
            "just before",
            limiting(limited(58)),
            [write("a"), write("b")],
            "0s m[a] | 59s m[a]",
            "ok NETWORK!:not_applied",
        ),
    ]);
    let ran = limiting(limited(600))
        .fault(slow())
        .run(&[read("a"), read("b")]);
    assert_eq!(
        ran.waits,
        Vec::<Duration>::new(),
        "nobody wakes up for nothing"
    );
}

/// Whoever has nothing to do does not begin others while all wait.
#[test]
fn a_pause_holds_what_a_step_with_nothing_to_do_lets_begin() {
    let slow = once(Effect::Delay(Duration::from_secs(1))).with("?b");
    let limited = once(Effect::Refuse(host_limited(600))).over(Route::Rest);
    let bench = bench().value("b", "x").fault(slow).fault(limited);
    let ran = bench.run(&[read_rest("a"), set("b", "x"), write("c").after(1)]);
    assert_eq!(ran.sent(), "q[?b] + rest[a]");
    assert_eq!(ran.ends(), "RATE_LIMIT! same RATE_LIMIT!:not_applied");
    // It is given up at once.
    assert_eq!(ran.chain_end().busy, Duration::from_secs(2));
    assert_eq!(ran.waits, Vec::<Duration>::new());
}

#[test]
fn a_wait_without_end_is_an_error_and_no_panic() {
    for seconds in [u64::MAX, u64::MAX / 1000, 1 << 40] {
        for failure in [limited(seconds), host_limited(seconds)] {
            let bench = bench().fault(always(Effect::Refuse(failure)));
            assert_eq!(
                bench.run(&[read("a"), write("b")]).ends(),
                "RATE_LIMIT! RATE_LIMIT!:not_applied"
            );
            assert_eq!(bench.run(&[write("b")]).ends(), "RATE_LIMIT!:not_applied");
            assert_eq!(bench.run(&[tool_read("s", "c")]).ends(), "RATE_LIMIT!");
        }
    }
}

#[test]
fn only_a_limit_asks_for_a_pause() {
    let mut failure = broken();
    failure.retry_after = Some(Duration::from_secs(5));
    let bench = bench()
        .chunks(1, 1)
        .fault(once(Effect::Refuse(failure)).with("a"));
    check_timed([row(
        "",
        bench,
        [read("a"), read("b"), read_rest("c").after(1)],
        "0s q[a] + 0s q[b] | 1s rest[c] | 6s q[a]",
        "ok ok ok",
    )]);
}
