//! A token that is refused on a route is not shown there again by the same chain.

use capstan_core::Route;

use crate::support::failures::{forbidden, unauthorized};
use crate::support::{
    Effect, always, bench, check, once, read, read_rest, remark, row, set, tool_write, write,
    write_rest,
};

#[test]
fn a_token_that_is_refused_is_not_tried_again() {
    let refusing = |bench: crate::support::Bench, route| {
        bench.fault(always(Effect::Refuse(unauthorized())).over(route))
    };
    let graphql = || refusing(bench().chunks(1, 1), Route::Graphql);
    check([
        row(
            "reads",
            graphql(),
            [
                read("a"),
                read("b"),
                read("c"),
                read("d"),
                read("e"),
                read("f"),
            ],
            "q[a] + q[b] + q[c] + q[d]",
            "AUTH AUTH AUTH AUTH AUTH AUTH",
        ),
        row(
            "writes",
            graphql(),
            [write("a"), write("b"), remark("c", "x")],
            "m[a] + q[?c]",
            "AUTH:not_applied AUTH:not_applied AUTH:not_applied",
        ),
        row(
            "what comes later",
            graphql(),
            [read("a"), read_rest("b"), read("c").after(1)],
            "q[a] + rest[b]",
            "AUTH ok AUTH",
        ),
        row(
            "other routes go on",
            graphql(),
            [
                write("a"),
                write_rest("b"),
                read_rest("c"),
                tool_write("s", "d"),
                tool_write("s", "e"),
            ],
            "m[a] + mcp![s.d] + rest![b] + mcp![s.e] + rest[c]",
            "AUTH:not_applied ok ok ok ok",
        ),
        row(
            "REST has its own",
            refusing(bench(), Route::Rest),
            [
                write_rest("a"),
                write_rest("b"),
                write("c"),
                read_rest("d"),
                read("e"),
            ],
            "rest![a] | m[c] | q[e]",
            "AUTH:not_applied AUTH:not_applied ok AUTH ok",
        ),
    ]);
}

/// A server has tokens of its own, which are none of GitHub's business, nor of other servers'.
#[test]
fn a_server_that_refuses_its_token_is_asked_again() {
    let refusing = bench().fault(once(Effect::Refuse(unauthorized())).over(Route::Mcp));
    let steps = [
        tool_write("s", "a"),
        tool_write("s", "b"),
        tool_write("t", "c").after(1),
    ];
    check([row(
        "",
        refusing,
        steps,
        "mcp![s.a] | mcp![s.b] | mcp![t.c]",
        "AUTH:not_applied ok ok",
    )]);
}

/// Any other refusal is about one thing.
#[test]
fn what_one_thing_refuses_says_nothing_about_others() {
    let refusing = bench()
        .chunks(1, 1)
        .fault(once(Effect::Refuse(forbidden())));
    check([row(
        "",
        refusing,
        [write("a"), write("b"), write("c")],
        "m[a] | m[b] | m[c]",
        "AUTH:not_applied ok ok",
    )]);
}

/// A step with nothing to do is over; what it lets begin is not sent to where the token is refused.
#[test]
fn nothing_is_sent_there_after_a_step_that_had_nothing_to_do() {
    let refusing = bench()
        .value("a", "x")
        .chunks(1, 1)
        .fault(once(Effect::Refuse(unauthorized())).with("b"));
    let steps = [
        read("b"),
        set("a", "x"),
        write("c").after(1),
        read("d").after(1),
    ];
    check([row(
        "",
        refusing,
        steps,
        "q[b] + q[?a]",
        "AUTH same AUTH:not_applied AUTH",
    )]);
}
