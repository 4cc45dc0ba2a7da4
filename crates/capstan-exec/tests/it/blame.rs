//! Requests that fail for the sake of one step: the innocent travel again, whoever is named does not take them along,
//! and where nobody is named, halving finds out, within limits.

use std::time::Duration;

use capstan_core::port::Failure;

use crate::support::failures::{broken, forbidden, limited, not_connected, placed, unplaced};
use crate::support::{
    Effect, Fault, Step, always, bench, check, labels, once, read, read_rest, row, set, write,
};

fn blaming(names: &[&str], failure: Failure) -> Effect {
    Effect::Blame(labels(names), Vec::new(), failure)
}

/// Fails every request that has this thing in it, and does not say why.
fn spoiling(name: &str) -> Fault {
    always(Effect::Refuse(unplaced(forbidden()))).with(name)
}

#[test]
fn whoever_is_named_fails_alone() {
    check([
        row(
            "one",
            bench().fault(always(blaming(&["b"], forbidden()))),
            [read("a"), read("b"), read("c")],
            "q[a b c] | q[a c]",
            "ok AUTH ok",
        ),
        row(
            "two at once",
            bench().fault(always(blaming(&["a", "d"], forbidden()))),
            [read("a"), read("b"), read("c"), read("d")],
            "q[a b c d] | q[b c]",
            "AUTH ok ok AUTH",
        ),
        row(
            "everyone",
            bench().fault(always(blaming(&["a", "b"], forbidden()))),
            [read("a"), read("b")],
            "q[a b]",
            "AUTH AUTH",
        ),
        row(
            "for a while: it is tried again, alone",
            bench().fault(once(blaming(&["b"], broken()))),
            [read("a"), read("b"), read("c")],
            "q[a b c] | q[a c] | q[b]",
            "ok ok ok",
        ),
        row(
            "for ever",
            bench().fault(always(blaming(&["b"], broken()))),
            [read("a"), read("b"), read("c")],
            "q[a b c] | q[a c] | q[b] | q[b]",
            "ok SERVER! ok",
        ),
        row(
            "whose part several have",
            bench().fault(always(blaming(&["b"], forbidden()))),
            [read("a"), read("b"), read("b")],
            "q[a b] | q[a]",
            "ok AUTH AUTH",
        ),
        row(
            "a lookup",
            bench().fault(always(blaming(&["?b"], forbidden()))),
            [set("a", "x"), set("b", "x")],
            "q[?a ?b] | q[?a] | m[a=x]",
            "ok AUTH:not_applied",
        ),
    ]);
}

#[test]
fn whoever_is_named_costs_one_request_more() {
    let mut steps: Vec<Step> = (0..20).map(|it| read(&format!("a{it}"))).collect();
    steps[7] = read("b");
    let ran = bench()
        .fault(always(blaming(&["b"], forbidden())))
        .run(&steps);
    assert_eq!((ran.chain_end().requests, ran.chain_end().chunks), (2, 1));
    assert_eq!(ran.ends().matches("ok").count(), 19);
}

/// GitHub puts the operation in front of the places of what it refused before it ran anything.
#[test]
fn a_write_that_is_named_before_anything_ran_fails_alone() {
    let blaming = |failure| Effect::Blame(labels(&["b"]), labels(&["mutation"]), failure);
    check([
        row(
            "refused",
            bench().fault(always(blaming(forbidden())).on_writes()),
            [write("a"), write("b"), write("c")],
            "m[a b c] | m[a c]",
            "ok AUTH:not_applied ok",
        ),
        row(
            "for a moment: those behind it wait for it",
            bench().fault(once(blaming(not_connected())).on_writes()),
            [write("a"), write("b"), write("c")],
            "m[a b c] | m[a] | m[b] | m[c]",
            "ok ok ok",
        ),
        row(
            "for a while: the others wait for it",
            bench().fault(once(blaming(limited(3))).on_writes()),
            [write("a"), write("b"), write("c")],
            "m[a b c] | m[a] | m[b] | m[c]",
            "ok ok ok",
        ),
    ]);
}

/// Where a place has no operation in front, that root field ran, and perhaps those before it.
#[test]
fn a_write_that_is_named_after_something_ran_leaves_all_in_doubt() {
    let fault = || bench().fault(always(blaming(&["b"], forbidden())).on_writes());
    check([
        row(
            "nobody can look",
            fault(),
            [write("a"), write("b"), write("c")],
            "m[a b c]",
            "AUTH:unknown AUTH:unknown AUTH:unknown",
        ),
        row(
            "by names that look like the operation's",
            fault(),
            [
                write("a").renamed("mutation.write"),
                write("b").renamed("mutation.write"),
            ],
            "m[a b]",
            "AUTH:unknown AUTH:unknown",
        ),
        row(
            "alone there is no doubt",
            fault(),
            [write("b")],
            "m[b]",
            "AUTH:not_applied",
        ),
    ]);
}

#[test]
fn whoever_is_not_named_is_found_by_halving() {
    check([
        row(
            "of two",
            bench().fault(spoiling("b")),
            [read("a"), read("b")],
            "q[a b] | q[a] + q[b]",
            "ok AUTH",
        ),
        row(
            "of four",
            bench().fault(spoiling("d")),
            [read("a"), read("b"), read("c"), read("d")],
            "q[a b c d] | q[a b] + q[c d] | q[c] + q[d]",
            "ok ok ok AUTH",
        ),
        row(
            "two of four",
            bench().fault(spoiling("a")).fault(spoiling("b")),
            [read("a"), read("b"), read("c"), read("d")],
            "q[a b c d] | q[a b] + q[c d] | q[a] + q[b]",
            "AUTH AUTH ok ok",
        ),
        row(
            "a write, and the others keep their order",
            bench().fault(spoiling("b").on_writes()),
            [write("a"), write("b"), write("c"), write("d")],
            "m[a b c d] | m[a b] | m[a] | m[b] | m[c d]",
            "ok AUTH:not_applied ok ok",
        ),
        row(
            "a place that is nobody's",
            bench().fault(once(Effect::Refuse(placed(
                forbidden(),
                labels(&["1", "x"]),
            )))),
            [read("a"), read("b")],
            "q[a b] | q[a] + q[b]",
            "ok ok",
        ),
    ]);
}

#[test]
fn what_may_pass_by_itself_gets_a_second_chance_as_it_is() {
    let failing = |fault: fn(Effect) -> Fault, failure| {
        bench().fault(fault(Effect::Refuse(unplaced(failure))))
    };
    check([
        row(
            "it passed",
            failing(once, broken()),
            [read("a"), read("b")],
            "q[a b] | q[a b]",
            "ok ok",
        ),
        row(
            "it did not",
            failing(always, broken()),
            [read("a"), read("b")],
            "q[a b] | q[a b] | q[a] + q[b]",
            "SERVER! SERVER!",
        ),
        row(
            "a limit is nobody's fault",
            failing(always, limited(2)),
            [read("a"), read("b")],
            "q[a b] | q[a b] | q[a b]",
            "RATE_LIMIT! RATE_LIMIT!",
        ),
        row(
            "a failure without errors is of all",
            bench().fault(always(Effect::Refuse(forbidden()))),
            [read("a"), read("b")],
            "q[a b]",
            "AUTH AUTH",
        ),
    ]);
}

/// The search ends after sixteen requests for each chunk; then everyone is told that it may be another's fault.
#[test]
fn the_search_is_bounded() {
    let steps: Vec<Step> = (0..40).map(|it| read(&format!("a{it}"))).collect();
    let ran = bench()
        .fault(always(Effect::Refuse(unplaced(forbidden()))))
        .run(&steps);
    assert_eq!(ran.ends(), vec!["AUTH"; 40].join(" "));
    let is_told = |step: &usize| {
        ran.failure(*step)
            .error
            .message
            .contains("may be about another step")
    };
    let told = (0..40).filter(is_told).count();
    let alone = ran.log.iter().filter(|sent| sent.items.len() == 1).count();
    assert_eq!(told + alone, 40, "{}", ran.sent());
    // Sixteen searches, and what the last of them sent.
    let together = ran.log.iter().filter(|sent| sent.items.len() > 1);
    assert!((16..=32).contains(&together.count()), "{}", ran.sent());
    assert!(told > 0);

    let innocent = bench().fault(spoiling("a39")).run(&steps);
    assert_eq!(innocent.ends().matches("ok").count(), 39);
}

/// Every chunk has as many searches of its own.
#[test]
fn one_spoiler_in_each_chunk_leaves_the_innocent_of_all_alone() {
    let steps: Vec<Step> = (0..150).map(|it| read(&format!("a{it}"))).collect();
    let bench = ["a10", "a60", "a110"]
        .iter()
        .fold(bench(), |bench, name| bench.fault(spoiling(name)));
    let ran = bench.run(&steps);
    assert_eq!(ran.chain_end().chunks, 3);
    assert_eq!(ran.ends().matches("ok").count(), 147);
}

#[test]
fn an_error_beside_the_data_concerns_its_own_step() {
    let beside =
        |names: &[&str], failure| bench().fault(once(Effect::Beside(labels(names), failure)));
    check([
        row(
            "a read",
            beside(&["b"], forbidden()),
            [read("a"), read("b"), read("c")],
            "q[a b c]",
            "ok AUTH ok",
        ),
        row(
            "a read that may be asked again",
            beside(&["b"], broken()),
            [read("a"), read("b"), read("c")],
            "q[a b c] | q[b]",
            "ok ok ok",
        ),
        row(
            "a write",
            beside(&["b"], forbidden()),
            [write("a"), write("b"), write("c")],
            "m[a b c]",
            "ok AUTH:not_applied ok",
        ),
        row(
            "a write that may have happened",
            beside(&["b"], broken()),
            [write("a"), write("b"), write("c")],
            "m[a b c]",
            "ok SERVER:unknown ok",
        ),
        row(
            "a lookup",
            beside(&["?b"], forbidden()),
            [set("a", "x"), set("b", "x")],
            "q[?a ?b] | m[a=x]",
            "ok AUTH:not_applied",
        ),
    ]);
}

#[test]
fn an_error_without_a_place_concerns_those_without_an_answer() {
    let unplaced =
        |nulls: &[&str], failure| bench().fault(once(Effect::Unplaced(labels(nulls), failure)));
    check([
        row(
            "one of them",
            unplaced(&["b"], forbidden()),
            [read("a"), read("b"), read("c")],
            "q[a b c]",
            "ok AUTH ok",
        ),
        row(
            "one that may be asked again",
            unplaced(&["b"], broken()),
            [read("a"), read("b"), read("c")],
            "q[a b c] | q[b]",
            "ok ok ok",
        ),
        row(
            "nobody: all hear of it",
            unplaced(&[], broken()),
            [read("a"), read("b")],
            "q[a b]",
            "ok ok",
        ),
        row(
            "a write",
            unplaced(&["b"], broken()),
            [write("a"), write("b")],
            "m[a b]",
            "ok SERVER:unknown",
        ),
    ]);
    let ran = unplaced(&[], broken()).run(&[read("a"), read("b")]);
    for end in ran.step_ends() {
        assert_eq!(end.result.as_ref().unwrap().warnings, ["so it is"]);
    }
    let ran = unplaced(&["b"], forbidden()).run(&[read("a"), read("b")]);
    assert!(
        ran.step_ends()[0]
            .result
            .as_ref()
            .unwrap()
            .warnings
            .is_empty()
    );
}

/// What is missing inside an answer to a write does not undo the write.
#[test]
fn an_error_within_an_answer_to_a_write_says_that_it_happened() {
    let within = || bench().fault(once(Effect::Within(labels(&["b"]), broken())));
    check([
        row(
            "a write",
            within(),
            [write("a"), write("b"), read("c")],
            "m[a b] | q[c]",
            "ok SERVER:applied ok",
        ),
        row(
            "a read",
            within(),
            [read("a"), read("b"), read_rest("c")],
            "q[a b] + rest[c] | q[b]",
            "ok ok ok",
        ),
    ]);
}

/// A step is in the log of attempts once for each request, however many of its wants travelled in it.
#[test]
fn attempts_are_written_down() {
    let ran = bench()
        .fault(once(blaming(&["b"], broken())))
        .run(&[read("a"), read("b")]);
    let attempts = |step: usize| -> Vec<String> {
        let attempts = ran.step_ends()[step].attempts.iter();
        attempts
            .map(|it| match it.error_code {
                None => format!("{:?} {}ms", it.status, it.duration_ms.unwrap()),
                Some(code) => format!("{:?} {code}", it.status),
            })
            .collect()
    };
    assert_eq!(attempts(0), ["Success 1000ms", "Success 1000ms"]);
    assert_eq!(attempts(1), ["Error SERVER", "Success 1000ms"]);
    assert_eq!(ran.chain_end().busy, Duration::from_secs(3));
}
