//! Downstream servers are apart from GitHub and from each other; code and Capstan's own work are not.

use std::time::Duration;

use capstan_core::Route;
use capstan_core::card::Operation;

use crate::support::failures::reset;
use crate::support::{
    Effect, bench, check, check_timed, once, own, read, row, tool_read, tool_write, write,
};

#[test]
fn lanes_are_independent() {
    check([
        row(
            "writes",
            bench(),
            [tool_write("s", "a"), tool_write("t", "b"), write("c")],
            "mcp![s.a] + mcp![t.b] + m[c]",
            "ok ok ok",
        ),
        row(
            "writes of one server",
            bench(),
            [tool_write("s", "a"), tool_write("s", "b")],
            "mcp![s.a] | mcp![s.b]",
            "ok ok",
        ),
        row(
            "a read of the same server",
            bench(),
            [tool_write("s", "a"), tool_read("s", "b")],
            "mcp![s.a] | mcp[s.b]",
            "ok ok",
        ),
        row(
            "a read of another server",
            bench(),
            [tool_write("s", "a"), tool_read("t", "b")],
            "mcp![s.a] + mcp[t.b]",
            "ok ok",
        ),
        row(
            "a read of GitHub",
            bench(),
            [tool_write("s", "a"), read("b")],
            "mcp![s.a] + q[b]",
            "ok ok",
        ),
        row(
            "a tool after a write to GitHub",
            bench(),
            [write("a"), tool_read("s", "b"), tool_write("s", "c")],
            "m[a] + mcp![s.c] + mcp[s.b]",
            "ok ok ok",
        ),
        row(
            "a reference between them",
            bench(),
            [tool_write("s", "a"), write("b").after(0)],
            "mcp![s.a] | m[b]",
            "ok ok",
        ),
    ]);
}

#[test]
fn code_skills_and_own_work_keep_their_place_among_github_writes() {
    for route in [Route::Code, Route::Skill, Route::Local] {
        let (reads, writes) = (
            |name| own(route, Operation::Read, name),
            |name| own(route, Operation::Write, name),
        );
        let ran = bench().run(&[write("a"), writes("b"), write("c"), reads("d"), read("e")]);
        assert_eq!(
            ran.sent(),
            format!("m[a] | {route}![b] | m[c] | q[e] + {route}[d]")
        );
        assert_eq!(ran.ends(), "ok ok ok ok ok");
        // What Capstan does itself is no request.
        assert_eq!(ran.chain_end().requests, 3);
    }
}

#[test]
fn a_server_that_hangs_holds_up_nobody_else() {
    let slow = || {
        once(Effect::Delay(Duration::from_secs(5)))
            .over(Route::Mcp)
            .with("s.a")
    };
    check_timed([
        row(
            "slow",
            bench().fault(slow()),
            [
                tool_write("s", "a"),
                tool_write("s", "b"),
                write("c"),
                read("d"),
                tool_write("t", "e"),
            ],
            "0s mcp![s.a] + 0s m[c] + 0s mcp![t.e] + 1s q[d] | 6s mcp![s.b]",
            "ok ok ok ok ok",
        ),
        row(
            "in doubt",
            bench().fault(once(Effect::Lose(reset())).with("s.a")),
            [
                tool_write("s", "a"),
                tool_write("s", "b"),
                write("c"),
                write("d").after(2),
            ],
            "0s mcp![s.a] + 0s m[c] | 1s m[d]",
            "NETWORK:unknown CANCELLED:not_applied ok ok",
        ),
    ]);
}
