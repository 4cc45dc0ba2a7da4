//! Requests that are too much are halved until they are not; what is too much alone is given up, with advice.

use std::time::Duration;

use capstan_core::Route;

use crate::support::failures::{exhausted, gave_up, too_large};
use crate::support::{
    Effect, always, bench, check, check_timed, labels, list, once, read, read_any, remark, row,
    set, write,
};

#[test]
fn what_is_too_much_is_halved() {
    let more_than = |most| bench().fault(always(Effect::MoreThan(most, gave_up())));
    check([
        row(
            "once",
            more_than(2),
            [read("a"), read("b"), read("c"), read("d")],
            "q[a b c d] | q[a b] + q[c d]",
            "ok ok ok ok",
        ),
        row(
            "twice",
            more_than(2),
            [read("a"), read("b"), read("c"), read("d"), read("e")],
            "q[a b c d e] | q[a b c] + q[d e] | q[a b] + q[c]",
            "ok ok ok ok ok",
        ),
        row(
            "down to one",
            more_than(1),
            [read("a"), read("b"), read("c")],
            "q[a b c] | q[a b] + q[c] | q[a] + q[b]",
            "ok ok ok",
        ),
    ]);
    let lookups = bench().fault(always(Effect::MoreThan(1, gave_up())).on_reads());
    check([row(
        "lookups",
        lookups,
        [remark("a", "x"), remark("b", "x")],
        "q[?a ?b] | q[?a] + q[?b] | m[a+x b+x]",
        "ok ok",
    )]);
}

#[test]
fn splitting_is_no_chunk_of_its_own() {
    let bench = bench().fault(always(Effect::MoreThan(2, gave_up())));
    let ran = bench.run(&[read("a"), read("b"), read("c"), read("d")]);
    assert_eq!((ran.chain_end().requests, ran.chain_end().chunks), (3, 1));
    // A little later, with the others.
    let wait = ran.log[1].left_at - Duration::from_secs(1);
    assert!((125..=250).contains(&wait.as_millis()), "{wait:?}");
}

#[test]
fn what_takes_too_long_is_halved() {
    // Sixteen seconds for all, ten for three; a request may take twelve.
    let slow = bench().fault(always(Effect::DelayEach(Duration::from_secs(3))));
    check_timed([row(
        "",
        slow,
        [read("a"), read("b"), read("c"), read("d"), read("e")],
        "0s q[a b c d e] | 12s q[a b c] + 12s q[d e]",
        "ok ok ok ok ok",
    )]);
}

#[test]
fn writes_are_halved_only_when_nothing_happened() {
    let more_than = |failure| bench().fault(always(Effect::MoreThan(2, failure)).on_writes());
    check([
        row(
            "not carried out",
            more_than(too_large()),
            [write("a"), write("b"), write("c"), write("d")],
            "m[a b c d] | m[a b] | m[c d]",
            "ok ok ok ok",
        ),
        row(
            "perhaps carried out",
            more_than(exhausted()),
            [write("a"), write("b"), write("c"), read("d")],
            "m[a b c] | q[d]",
            "VALIDATION:unknown VALIDATION:unknown VALIDATION:unknown ok",
        ),
        row(
            "perhaps carried out, and looked for",
            more_than(gave_up()),
            [set("a", "x"), set("b", "x"), set("c", "x")],
            "q[?a ?b ?c] | m[a=x b=x c=x] | q[?a ?b ?c]",
            "SERVER:unknown SERVER:unknown SERVER:unknown",
        ),
    ]);
}

/// Where GitHub ran out of resources in the middle is not whose fault it is: those without an answer travel again.
#[test]
fn only_those_without_an_answer_travel_again() {
    let beside = |fault| bench().routes(&[Route::Graphql]).fault(fault);
    check([
        row(
            "reads",
            beside(once(Effect::Beside(labels(&["b", "d", "e"]), exhausted()))),
            [read("a"), read("b"), read("c"), read("d"), read("e")],
            "q[a b c d e] | q[b d e]",
            "ok ok ok ok ok",
        ),
        row(
            "again and again",
            beside(always(Effect::Beside(labels(&["b", "c"]), exhausted()))),
            [read("a"), read("b"), read("c")],
            "q[a b c] | q[b c] | q[b] + q[c]",
            "ok VALIDATION VALIDATION",
        ),
        row(
            "no write",
            beside(once(Effect::Beside(labels(&["b"]), exhausted())).on_writes()),
            [write("a"), write("b"), write("c")],
            "m[a b c]",
            "ok VALIDATION:unknown ok",
        ),
    ]);
}

#[test]
fn what_is_too_much_alone_is_given_up() {
    let refusing = |failure| {
        bench()
            .routes(&[Route::Graphql])
            .fault(always(Effect::Refuse(failure)))
    };
    check([
        row(
            "alone from the start",
            refusing(gave_up()),
            [read("a")],
            "q[a] | q[a] | q[a]",
            "SERVER!",
        ),
        row(
            "after it was alone once",
            refusing(gave_up()),
            [read("a"), read("b")],
            "q[a b] | q[a] + q[b]",
            "SERVER! SERVER!",
        ),
        row(
            "too large for ever",
            refusing(too_large()),
            [read("a")],
            "q[a]",
            "VALIDATION",
        ),
        row(
            "too large, as everyone",
            refusing(too_large()),
            [read("a"), read("b")],
            "q[a b] | q[a] + q[b]",
            "VALIDATION VALIDATION",
        ),
    ]);
    let too_large = || bench().fault(always(Effect::Refuse(too_large())).over(Route::Graphql));
    check([row(
        "another route may have other limits",
        too_large(),
        [read_any("a")],
        "q[a] | rest[a]",
        "ok",
    )]);
}

#[test]
fn advice_is_given_about_what_is_too_much_alone() {
    let too_large = || bench().fault(always(Effect::Refuse(too_large())));
    let ran = too_large().run(&[list("a", 20)]);
    let error = &ran.failure(0).error;
    assert!(
        error.message.contains("fewer rows, such as `first: 10`"),
        "{}",
        error.message
    );
    let smaller = &error.details["mend"]["arguments"];
    assert_eq!(smaller["capability"], "things.list");
    assert_eq!(smaller["input"]["first"], 10);

    for step in [list("a", 1), read("a")] {
        let ran = too_large().run(&[step]);
        let error = &ran.failure(0).error;
        assert!(
            error.message.contains("asks for fewer fields"),
            "{}",
            error.message
        );
        assert_eq!(error.details.get("mend"), None);
    }
    // A write that was not carried out for this reason is no matter of rows.
    let ran = too_large().run(&[write("a")]);
    assert_eq!(ran.ends(), "VALIDATION:not_applied");
    assert!(!ran.failure(0).error.message.contains("fewer"));
}
