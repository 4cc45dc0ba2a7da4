//! What the observer of a chain hears, in every ending. It knows of each write whether it left, and never believes
//! what is not so.

use capstan_core::Route;
use capstan_core::card::Operation;

use crate::support::failures::{failure, forbidden, not_connected, reset};
use crate::support::{
    Bench, Effect, Step, always, bench, gather, labels, once, own, read, set, tool_read,
    tool_write, write,
};

fn check(rows: impl IntoIterator<Item = (&'static str, Bench, Vec<Step>, &'static str)>) {
    for (what, bench, steps, heard) in rows {
        assert_eq!(bench.run(&steps).heard(), heard, "{what}");
    }
}

#[test]
fn departures_and_ends_are_heard() {
    check([
        ("a read", bench(), vec![read("a")], "r0"),
        (
            "reads that share a part",
            bench(),
            vec![read("a"), read("b"), read("a")],
            "r0,2,1",
        ),
        ("a write", bench(), vec![write("a")], "w0 0:ok over"),
        (
            "a write that is not the last",
            bench().chunks(9, 1),
            vec![write("a"), write("b")],
            "w0 0:ok back w1 1:ok over",
        ),
        (
            "a read after a write",
            bench(),
            vec![write("a"), read("b")],
            "w0 0:ok back r1",
        ),
        (
            "what is over is told before a write leaves",
            bench(),
            vec![read("a"), write("b").after(0)],
            "r0 0:ok w1 1:ok over",
        ),
        (
            "lookups are of their step",
            bench(),
            vec![gather("a", &["b", "c"])],
            "r0,0,0 w0 0:ok over",
        ),
        (
            "nothing to do",
            bench().value("a", "x"),
            vec![set("a", "x"), write("b")],
            "r0 0:ok w1 1:ok over",
        ),
        (
            "tools leave the machine",
            bench(),
            vec![tool_read("s", "a"), tool_write("s", "b")],
            "w1 r0 1:ok back",
        ),
        (
            "code does not",
            bench(),
            vec![own(Route::Code, Operation::Write, "a")],
            "w0(here) 0:ok over",
        ),
    ]);
}

#[test]
fn what_did_not_happen_is_heard() {
    let refusing = |failure| bench().fault(once(Effect::Refuse(failure)).on_writes());
    check([
        (
            "refused",
            refusing(forbidden()),
            vec![write("a"), write("b")],
            "w0,1 -0,1 0:not_applied 1:not_applied over",
        ),
        (
            "tried again",
            refusing(not_connected()),
            vec![write("a")],
            "w0 -0 back w0 0:ok over",
        ),
        (
            "in doubt",
            refusing(reset()),
            vec![write("a"), write("b")],
            "w0,1 0:unknown 1:unknown over",
        ),
        (
            "in doubt, and held back",
            refusing(reset()).chunks(9, 1),
            vec![write("a"), write("b"), read("c")],
            "w0 0:unknown back r2",
        ),
        (
            "one of two",
            bench().fault(once(Effect::Beside(labels(&["a"]), forbidden()))),
            vec![write("a"), write("b")],
            "w0,1 0:not_applied 1:ok over",
        ),
        (
            "looked for",
            bench().fault(once(Effect::Lose(reset())).on_writes()),
            vec![set("a", "x")],
            "r0 w0 back r0",
        ),
        (
            "found, and on",
            bench()
                .chunks(9, 1)
                .fault(once(Effect::Lose(reset())).on_writes()),
            vec![set("a", "x"), write("b")],
            "r0 w0 back r0 0:ok w1 1:ok over",
        ),
        (
            "a read is not a write",
            bench().fault(always(Effect::Refuse(forbidden()))),
            vec![read("a")],
            "r0",
        ),
        (
            "cancelled",
            bench().cancel_at(1).chunks(9, 1),
            vec![write("a"), write("b")],
            "w0 0:ok back",
        ),
        (
            "late",
            bench().timeout(1).chunks(9, 1),
            vec![write("a"), write("b")],
            "w0 0:ok back",
        ),
    ]);
}

/// While it is looked for, a write that may have happened must not pass for one that did not.
#[test]
fn writes_in_doubt_are_not_heard_as_not_applied() {
    let blaming = Effect::Blame(labels(&["b=x"]), Vec::new(), forbidden());
    let bench = bench().fault(once(blaming).on_writes());
    check([(
        "",
        bench,
        vec![set("a", "x"), set("b", "x")],
        "r0,1 w0,1 back r0,1",
    )]);
}

/// What cannot be written down does not leave.
#[test]
fn an_observer_can_keep_a_write_from_leaving() {
    let full = failure(
        capstan_core::ErrorCode::Conflict,
        capstan_core::Outcome::NotApplied,
    );
    let ran = bench().refusing_observer(full.clone()).run(&[
        read("a"),
        write("b"),
        write("c"),
        read("d"),
    ]);
    assert_eq!(ran.sent(), "q[a] | q[d]");
    assert_eq!(
        ran.ends(),
        "ok CONFLICT:not_applied CONFLICT:not_applied ok"
    );
    assert_eq!(
        ran.heard(),
        "x1,2 -1,2 1:not_applied 2:not_applied back r0 r3"
    );
    let ran = bench()
        .refusing_observer(full)
        .run(&[own(Route::Local, Operation::Write, "a")]);
    assert_eq!(
        (ran.sent().as_str(), ran.ends().as_str()),
        ("", "CONFLICT:not_applied")
    );
}
