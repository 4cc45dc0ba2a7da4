//! After a cancellation nothing is begun, except to look for the answers to writes that were lost.

use crate::support::failures::{broken, reset};
use crate::support::{
    Effect, always, bench, check, guarded, once, read, read_rest, remark, row, set, tool_write,
    write, write_rest,
};

#[test]
fn nothing_is_begun_after_a_cancellation() {
    check([
        row(
            "before anything",
            bench().cancelled(),
            [read("a"), write("b"), tool_write("s", "c")],
            "",
            "CANCELLED CANCELLED:not_applied CANCELLED:not_applied",
        ),
        row(
            "reads wait for others of their kind",
            bench().cancel_at(1).chunks(1, 1),
            [read("a"), read("b"), read("c"), read("d"), read("e")],
            "q[a] + q[b] + q[c] + q[d]",
            "ok ok ok ok CANCELLED",
        ),
        row(
            "writes",
            bench().cancel_at(1).chunks(1, 1),
            [write("a"), write("b")],
            "m[a]",
            "ok CANCELLED:not_applied",
        ),
        row(
            "a write after its lookup",
            bench().cancel_at(1),
            [remark("a", "x")],
            "q[?a]",
            "CANCELLED:not_applied",
        ),
        row(
            "a read after a write",
            bench().cancel_at(1),
            [write("a"), read("b"), read_rest("c")],
            "m[a]",
            "ok CANCELLED CANCELLED",
        ),
        row(
            "whoever refers to another",
            bench().cancel_at(1),
            [read("a"), write("b").after(0)],
            "q[a]",
            "ok CANCELLED:not_applied",
        ),
        row(
            "every lane",
            bench().cancel_at(2).chunks(1, 1),
            [
                write("a"),
                tool_write("s", "b"),
                write_rest("c"),
                tool_write("s", "d"),
            ],
            "m[a] + mcp![s.b]",
            "ok ok CANCELLED:not_applied CANCELLED:not_applied",
        ),
        row(
            "a retry",
            bench().cancel_at(1).fault(once(Effect::Refuse(broken()))),
            [read("a")],
            "q[a]",
            "CANCELLED",
        ),
    ]);
}

/// A step that has nothing to do ends when its turn comes; whoever refers to it begins only then.
#[test]
fn nothing_is_begun_after_a_step_that_had_nothing_to_do() {
    let same = || bench().value("a", "x").cancel_at(1);
    check([
        row(
            "a read",
            same(),
            [set("a", "x"), read("b").after(0)],
            "q[?a]",
            "same CANCELLED",
        ),
        row(
            "a write",
            same(),
            [set("a", "x"), write("b").after(0)],
            "q[?a]",
            "same CANCELLED:not_applied",
        ),
        row(
            "another route",
            same(),
            [set("a", "x"), write_rest("b").after(0)],
            "q[?a]",
            "same CANCELLED:not_applied",
        ),
    ]);
}

/// A step that looks again after an earlier write does not begin to do so.
#[test]
fn nobody_looks_again_after_a_cancellation() {
    let steps = || [set("a", "y"), guarded("a", "x")];
    check([
        row(
            "cancelled",
            bench().cancel_at(2),
            steps(),
            "q[?a] | m[a=y]",
            "ok CANCELLED:not_applied",
        ),
        row(
            "late",
            bench().timeout(2),
            steps(),
            "q[?a] | m[a=y]",
            "ok NETWORK!:not_applied",
        ),
    ]);
}

/// Looking changes nothing, and tells what would be in doubt for ever.
#[test]
fn a_lost_write_is_looked_for_all_the_same() {
    let lost = || {
        bench()
            .fault(once(Effect::Lose(reset())).on_writes())
            .cancel_at(2)
    };
    check([
        row(
            "seen",
            lost(),
            [set("a", "x"), set("b", "y")],
            "q[?a ?b] | m[a=x b=y] | q[?a ?b]",
            "seen seen",
        ),
        row(
            "others are not begun",
            lost().chunks(9, 1),
            [set("a", "x"), set("b", "y")],
            "q[?a ?b] | m[a=x] | q[?a]",
            "seen CANCELLED:not_applied",
        ),
        row(
            "not even again",
            lost().fault(always(Effect::Refuse(broken())).on_reads().sparing(1)),
            [set("a", "x")],
            "q[?a] | m[a=x] | q[?a] | q[?a] | q[?a]",
            "NETWORK:unknown",
        ),
    ]);
}

#[test]
fn the_first_failure_ends_a_chain_that_fails_fast() {
    let fast = || bench().fail_fast();
    check([
        row(
            "nobody failed",
            fast(),
            [read("a"), write("b"), read("c")],
            "m[b] + q[a] | q[c]",
            "ok ok ok",
        ),
        row(
            "a read",
            fast().without("a"),
            [read("a"), remark("b", "x")],
            "q[a ?b]",
            "NOT_FOUND CANCELLED:not_applied",
        ),
        row(
            "not without it",
            bench().without("a"),
            [read("a"), remark("b", "x")],
            "q[a ?b] | m[b+x]",
            "NOT_FOUND ok",
        ),
        row(
            "what is under way is waited for",
            fast().without("a"),
            [read("a"), write("b"), read("c")],
            "m[b] + q[a]",
            "NOT_FOUND ok CANCELLED",
        ),
        row(
            "whoever refers to a failure",
            fast().without("a"),
            [read("a"), read("b").after(0), write("c").after(0)],
            "q[a]",
            "NOT_FOUND CANCELLED CANCELLED:not_applied",
        ),
    ]);
}
