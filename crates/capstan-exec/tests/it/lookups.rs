//! What lookups show decides whether anything is sent; after a write that may have changed it, they are asked again.

use crate::support::failures::{broken, forbidden};
use crate::support::{
    Effect, always, bench, check, guarded, once, read, remark, row, set, set_rest, write,
};

#[test]
fn what_is_so_already_is_not_sent() {
    let same = || bench().value("a", "x");
    check([
        row("alone", same(), [set("a", "x")], "q[?a]", "same"),
        row(
            "among others",
            same(),
            [set("b", "y"), set("a", "x"), write("c")],
            "q[?b ?a] | m[b=y c]",
            "ok same ok",
        ),
        row(
            "whoever refers to it",
            same(),
            [set("a", "x"), write("b").after(0)],
            "q[?a] | m[b]",
            "same ok",
        ),
        row(
            "what a write made needless is sent all the same",
            bench(),
            [set("a", "x"), set("a", "x")],
            "q[?a] | m[a=x a=x]",
            "ok ok",
        ),
    ]);
}

#[test]
fn what_an_earlier_write_may_have_changed_is_looked_at_again() {
    let was = |value| bench().value("a", value);
    check([
        row(
            "there and back",
            was("x"),
            [set("a", "y"), set("a", "x")],
            "q[?a] | m[a=y] | q[?a] | m[a=x]",
            "ok ok",
        ),
        row(
            "in other requests",
            was("x").chunks(9, 1),
            [set("a", "y"), set("b", "z"), set("a", "x")],
            "q[?a ?b] | m[a=y] | m[b=z] | q[?a] | m[a=x]",
            "ok ok ok",
        ),
        row(
            "a remark on the same thing",
            was("x"),
            [remark("a", "r"), set("a", "x")],
            "q[?a] | m[a+r] | q[?a]",
            "ok same",
        ),
        row(
            "another thing",
            was("x"),
            [set("b", "y"), set("a", "x"), remark("b", "r")],
            "q[?b ?a] | m[b=y b+r]",
            "ok same ok",
        ),
        row(
            "over REST, which may change anything",
            was("x"),
            [remark("b", "r"), set_rest("a", "y"), set("a", "x")],
            "q[?b ?a] | m[b+r] | rest![a=y] | q[?a] | m[a=x]",
            "ok ok ok",
        ),
        row(
            "over REST, beside the lookup",
            was("x"),
            [set_rest("a", "y"), set("a", "x")],
            "rest![a=y] + q[?a] | q[?a] | m[a=x]",
            "ok ok",
        ),
        row(
            "a write that was refused changed nothing, and is looked behind all the same",
            was("x").fault(once(Effect::Refuse(forbidden())).with("a=y")),
            [set("a", "y"), set("a", "x")],
            "q[?a] | m[a=y] | q[?a]",
            "AUTH:not_applied same",
        ),
        row(
            "what looks different is sent without a second look",
            was("z"),
            [set("a", "y"), set("a", "x")],
            "q[?a] | m[a=y a=x]",
            "ok ok",
        ),
    ]);
}

#[test]
fn what_the_lookups_forbid_is_refused() {
    let locked = || bench().value("a", "locked");
    check([
        row(
            "locked",
            locked(),
            [guarded("a", "x")],
            "q[?a]",
            "CONFLICT:not_applied",
        ),
        row(
            "the others are not",
            locked(),
            [write("b"), guarded("a", "x"), write("c")],
            "q[?a] | m[b c]",
            "ok CONFLICT:not_applied ok",
        ),
        row(
            "the caller insists",
            locked(),
            [guarded("a", "x").with("force", true)],
            "q[?a] | m[a=x]",
            "ok",
        ),
        row(
            "it is open",
            bench(),
            [guarded("a", "x"), guarded("b", "y")],
            "q[?a ?b] | m[a=x b=y]",
            "ok ok",
        ),
        row(
            "an earlier write locks it",
            bench(),
            [set("a", "locked"), guarded("a", "x")],
            "q[?a] | m[a=locked] | q[?a]",
            "ok CONFLICT:not_applied",
        ),
        row(
            "an earlier write opens it",
            locked(),
            [set("a", "open"), guarded("a", "x")],
            "q[?a] | m[a=open] | q[?a] | m[a=x]",
            "ok ok",
        ),
        row(
            "over REST",
            bench(),
            [set_rest("a", "locked"), guarded("a", "x")],
            "rest![a=locked] + q[?a] | q[?a]",
            "ok CONFLICT:not_applied",
        ),
        row(
            "those behind it do not wait for long",
            bench(),
            [set("a", "y"), guarded("a", "x"), write("b")],
            "q[?a] | m[a=y] | q[?a] | m[a=x b]",
            "ok ok ok",
        ),
    ]);
}

#[test]
fn half_an_answer_decides_nothing() {
    let within = || {
        bench()
            .value("a", "x")
            .fault(always(Effect::Within(vec!["?a".to_owned()], broken())).on_reads())
    };
    check([row(
        "",
        within(),
        [set("a", "x"), write("b")],
        "q[?a] | q[?a] | q[?a] | m[b]",
        "SERVER!:not_applied ok",
    )]);
}

/// Whoever lists a read first sees what was there before.
#[test]
fn a_read_beside_a_lookup_sees_what_was_there_before() {
    let ran = bench()
        .value("a", "x")
        .run(&[read("a"), set("a", "y"), read("a")]);
    assert_eq!(ran.sent(), "q[a ?a] | m[a=y] | q[a]");
    assert_eq!(
        (&ran.data(0)["value"], &ran.data(2)["value"]),
        (&"x".into(), &"y".into())
    );
}
