//! Writes whose answer was lost are looked for by a read. What it does not prove stays in doubt, and nothing is written
//! after what is in doubt.

use std::time::Duration;

use capstan_core::Route;
use capstan_core::card::Operation;
use serde_json::json;

use crate::support::failures::{broken, forbidden, limited, reset, unauthorized};
use crate::support::{
    Bench, Effect, always, bench, check, check_timed, labels, once, own, read, remark, row, set,
    set_remembering, set_rest, write, write_rest,
};

/// The first request with writes is carried out, and its answer is lost.
fn losing() -> Bench {
    bench().fault(once(Effect::Lose(reset())).on_writes())
}

/// So many of its writes are carried out.
fn cutting(writes: usize) -> Bench {
    bench().fault(once(Effect::Cut(writes, broken())).on_writes())
}

#[test]
fn one_read_tells_what_became_of_all() {
    check([
        row(
            "one",
            losing(),
            [set("a", "x")],
            "q[?a] | m[a=x] | q[?a]",
            "seen",
        ),
        row(
            "not seen",
            cutting(0),
            [set("a", "x")],
            "q[?a] | m[a=x] | q[?a]",
            "SERVER:unknown",
        ),
        row(
            "some",
            cutting(2),
            [set("a", "x"), set("b", "x"), set("c", "x")],
            "q[?a ?b ?c] | m[a=x b=x c=x] | q[?a ?b ?c]",
            "seen seen SERVER:unknown",
        ),
        row(
            "some can be looked for",
            losing(),
            [set("a", "x"), remark("b", "x"), set("c", "x")],
            "q[?a ?b ?c] | m[a=x b+x c=x] | q[?a ?c]",
            "seen NETWORK:unknown seen",
        ),
        row(
            "one without an answer",
            bench().fault(once(Effect::Beside(labels(&["b=x"]), broken())).on_writes()),
            [set("a", "x"), set("b", "x")],
            "q[?a ?b] | m[a=x b=x] | q[?b]",
            "ok SERVER:unknown",
        ),
        row(
            "an answer that is none",
            bench().fault(once(Effect::Answer(json!("strange"))).on_writes()),
            [set("a", "x"), write("b")],
            "q[?a] | m[a=x b] | q[?a]",
            "seen SERVER:unknown",
        ),
        row(
            "what was refused is not looked for",
            bench().fault(once(Effect::Refuse(forbidden())).on_writes()),
            [set("a", "x")],
            "q[?a] | m[a=x]",
            "AUTH:not_applied",
        ),
    ]);
}

#[test]
fn a_remembered_lookup_proves_nothing() {
    check([
        row(
            "after a lost answer",
            losing(),
            [set_remembering("a", "x")],
            "q[?a] | m[a=x] | q[?a]",
            "seen",
        ),
        row(
            "after another write",
            bench().value("a", "y"),
            [set_remembering("a", "x"), set_remembering("a", "y")],
            "q[?a] | m[a=x] | q[?a] | m[a=y]",
            "ok ok",
        ),
    ]);
}

#[test]
fn what_was_not_seen_is_told() {
    let ran = cutting(1).run(&[set("a", "x"), set("b", "x"), write("c")]);
    let [seen, not_seen, not_looked] = ran.step_ends() else {
        panic!("three steps");
    };
    let answered = seen.result.as_ref().unwrap();
    assert_eq!(answered.data["changed"], true);
    assert!(answered.warnings[0].contains("the answer was lost"));
    let failure = not_seen.result.as_ref().unwrap_err();
    assert!(failure.was_not_seen);
    assert_eq!(failure.error.details["verified"], "not_seen");
    assert!(
        failure
            .error
            .message
            .contains("although a read just afterwards did not show it")
    );
    let failure = not_looked.result.as_ref().unwrap_err();
    assert!(!failure.was_not_seen);
    assert!(
        failure
            .error
            .message
            .ends_with("so it is; it may have happened: check before sending it again")
    );
}

#[test]
fn what_cannot_be_looked_at_stays_unknown() {
    let blind = |failure| losing().fault(always(Effect::Refuse(failure)).on_reads().sparing(1));
    let steps = || [set("a", "x"), remark("b", "x"), set("c", "x")];
    let ends = "NETWORK:unknown NETWORK:unknown NETWORK:unknown";
    check([
        row(
            "broken",
            blind(broken()),
            steps(),
            "q[?a ?b ?c] | m[a=x b+x c=x] | q[?a ?c] | q[?a ?c] | q[?a ?c]",
            ends,
        ),
        row(
            "forbidden",
            blind(forbidden()),
            steps(),
            "q[?a ?b ?c] | m[a=x b+x c=x] | q[?a ?c]",
            ends,
        ),
        row(
            "refused",
            blind(unauthorized()),
            steps(),
            "q[?a ?b ?c] | m[a=x b+x c=x] | q[?a ?c]",
            ends,
        ),
        row(
            "limited",
            blind(limited(600)),
            steps(),
            "q[?a ?b ?c] | m[a=x b+x c=x] | q[?a ?c]",
            ends,
        ),
    ]);
}

/// What an earlier step has set looks as if a later one had.
#[test]
fn what_another_step_did_proves_nothing() {
    check([
        row(
            "the same value",
            cutting(1),
            [set("a", "x"), set("b", "y"), set("a", "x")],
            "q[?a ?b] | m[a=x b=y a=x] | q[?a ?b]",
            "seen SERVER:unknown SERVER:unknown",
        ),
        row(
            "in an earlier request",
            bench()
                .chunks(9, 1)
                .fault(once(Effect::Refuse(reset())).on_writes().sparing(1)),
            [set("a", "x"), set("a", "x")],
            "q[?a] | m[a=x] | m[a=x]",
            "ok NETWORK:unknown",
        ),
        row(
            "of another thing",
            bench()
                .chunks(9, 1)
                .fault(once(Effect::Lose(reset())).on_writes().sparing(1)),
            [set("b", "x"), set("a", "x")],
            "q[?b ?a] | m[b=x] | m[a=x] | q[?a]",
            "ok seen",
        ),
        row(
            "over REST, which may set anything",
            bench().fault(once(Effect::Refuse(reset())).with("a=x").sparing(1)),
            [remark("b", "r"), set_rest("a", "x"), set("a", "x")],
            "q[?b ?a] | m[b+r] | rest![a=x] | m[a=x]",
            "ok ok NETWORK:unknown",
        ),
        row(
            "a remark sets nothing",
            bench()
                .chunks(9, 1)
                .fault(once(Effect::Lose(reset())).with("a=x")),
            [remark("a", "r"), set("a", "x")],
            "q[?a] | m[a+r] | m[a=x] | q[?a]",
            "ok seen",
        ),
    ]);
}

#[test]
fn nothing_is_written_after_what_is_in_doubt() {
    let losing = |spared| {
        bench()
            .chunks(9, 2)
            .fault(once(Effect::Lose(reset())).on_writes().sparing(spared))
    };
    let steps = || {
        [
            write("a"),
            write("b"),
            write("c"),
            write("d"),
            write("e"),
            read("f"),
        ]
    };
    check([
        row(
            "the first request",
            losing(0),
            steps(),
            "m[a b] | q[f]",
            "NETWORK:unknown NETWORK:unknown CANCELLED:not_applied CANCELLED:not_applied CANCELLED:not_applied ok",
        ),
        row(
            "the second",
            losing(1),
            steps(),
            "m[a b] | m[c d] | q[f]",
            "ok ok NETWORK:unknown NETWORK:unknown CANCELLED:not_applied ok",
        ),
        row(
            "the third",
            losing(2),
            steps(),
            "m[a b] | m[c d] | m[e] | q[f]",
            "ok ok ok ok NETWORK:unknown ok",
        ),
        row(
            "on another route",
            losing(0),
            [
                write_rest("a"),
                write("b"),
                set("c", "x"),
                own(Route::Code, Operation::Write, "d"),
            ],
            "rest![a] + q[?c]",
            "NETWORK:unknown CANCELLED:not_applied CANCELLED:not_applied CANCELLED:not_applied",
        ),
        row(
            "with nothing to do",
            losing(0).value("c", "x"),
            [write_rest("a"), set("c", "x")],
            "rest![a] + q[?c]",
            "NETWORK:unknown CANCELLED:not_applied",
        ),
        row(
            "whoever refers to it",
            losing(0),
            [
                write("a"),
                read("b").after(0),
                write("c").after(0),
                read("d"),
            ],
            "m[a] | q[d]",
            "NETWORK:unknown CANCELLED CANCELLED:not_applied ok",
        ),
    ]);
    let ran = losing(0).run(&steps());
    let failure = ran.failure(2);
    assert!(
        failure
            .error
            .message
            .contains("the outcome of step 0 is unknown")
    );
    assert_eq!(failure.error.details["step"], 0);
}

/// What a read has proven is no doubt any more, and what did not happen never was.
#[test]
fn writing_goes_on_after_what_was_verified() {
    let refusing = || {
        bench()
            .chunks(9, 2)
            .fault(once(Effect::Refuse(forbidden())).on_writes())
    };
    check([
        row(
            "seen",
            losing().chunks(9, 2),
            [set("a", "x"), set("b", "x"), remark("c", "x"), write("d")],
            "q[?a ?b ?c] | m[a=x b=x] | q[?a ?b] | m[c+x d]",
            "seen seen ok ok",
        ),
        row(
            "one of them not",
            cutting(1).chunks(9, 2),
            [set("a", "x"), set("b", "x"), write("c")],
            "q[?a ?b] | m[a=x b=x] | q[?a ?b]",
            "seen SERVER:unknown CANCELLED:not_applied",
        ),
        row(
            "refused",
            refusing(),
            [write("a"), write("b"), write("c")],
            "m[a b] | m[c]",
            "AUTH:not_applied AUTH:not_applied ok",
        ),
        row(
            "it happened, and its answer could not be used",
            bench()
                .chunks(9, 1)
                .fault(once(Effect::Within(labels(&["a"]), broken()))),
            [write("a"), write("b")],
            "m[a] | m[b]",
            "SERVER:applied ok",
        ),
    ]);
}

#[test]
fn there_may_be_no_time_to_look() {
    let hanging = |happens| {
        bench()
            .timeout(8)
            .fault(always(Effect::Hang { happens }).on_writes())
    };
    let slow = once(Effect::Delay(Duration::from_secs(20))).on_writes();
    check_timed([
        row(
            "until the end",
            hanging(true),
            [set("a", "x"), set("b", "x")],
            "0s q[?a ?b] | 1s m[a=x b=x]",
            "NETWORK:unknown NETWORK:unknown",
        ),
        row(
            "a request has an end of its own",
            bench().fault(slow),
            [set("a", "x")],
            "0s q[?a] | 1s m[a=x] | 13s q[?a]",
            "seen",
        ),
    ]);
}
