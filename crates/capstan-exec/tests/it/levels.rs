//! Steps that refer to others: one request for each level, and nothing for those that refer to a failure.

use crate::support::{Step, bench, check, read, read_rest, remark, row, set, write};

#[test]
fn there_is_one_request_for_each_level() {
    check([
        row(
            "reads",
            bench(),
            [
                read("a"),
                read("b"),
                read("c").after(0),
                read("d").after(1),
                read("e").after(2),
            ],
            "q[a b] | q[c d] | q[e]",
            "ok ok ok ok ok",
        ),
        row(
            "writes",
            bench(),
            [
                write("a"),
                write("b"),
                write("c").after(0),
                write("d").after(1),
            ],
            "m[a b] | m[c d]",
            "ok ok ok ok",
        ),
        row(
            "a read of what was written",
            bench(),
            [write("a"), read("b").after(0)],
            "m[a] | q[b]",
            "ok ok",
        ),
        row(
            "a write of what was read",
            bench(),
            [read("a"), write("b").after(0)],
            "q[a] | m[b]",
            "ok ok",
        ),
        row(
            "a write waits for one before it that refers",
            bench(),
            [read("a"), write("b").after(0), write("c")],
            "q[a] | m[b c]",
            "ok ok ok",
        ),
        row(
            "a write does not wait for one after it",
            bench(),
            [write("a"), write("b").after(0), write("c")],
            "m[a] | m[b c]",
            "ok ok ok",
        ),
        row(
            "with lookups",
            bench(),
            [
                write("a"),
                remark("b", "x").after(0),
                set("c", "y").after(0),
            ],
            "m[a] | q[?b ?c] | m[b+x c=y]",
            "ok ok ok",
        ),
        row(
            "those given an id go with those that look it up",
            bench(),
            [
                remark("a", "x"),
                write("b").after(0),
                set("c", "y").after(0),
            ],
            "q[?a] | m[a+x] | q[?c] | m[b c=y]",
            "ok ok ok",
        ),
        row(
            "across routes",
            bench(),
            [read_rest("a"), read("b").after(0), read_rest("c").after(1)],
            "rest[a] | q[b] | rest[c]",
            "ok ok ok",
        ),
    ]);
}

#[test]
fn values_are_filled_in() {
    let ran = bench()
        .value("a", "y")
        .run(&[read("a"), set("b", "$0.data.value"), read("b")]);
    assert_eq!(ran.sent(), "q[a] | q[?b] | m[b=y] | q[b]");
    assert_eq!(ran.data(2)["value"], "y");
    assert_eq!(ran.step_ends()[1].input["value"], "y");
}

#[test]
fn whoever_refers_to_a_failure_is_skipped_and_the_rest_goes_on() {
    let ran = bench().without("a").run(&[
        read("a"),
        write("b").after(0),
        read("c").after(1),
        set("d", "x"),
        remark("e", "x").after(3),
        write("f").after(2),
        write("g"),
    ]);
    assert_eq!(ran.sent(), "q[a ?d] | m[d=x] | q[?e] | m[e+x g]");
    assert_eq!(
        ran.ends(),
        "NOT_FOUND CANCELLED:not_applied CANCELLED ok ok CANCELLED:not_applied ok"
    );
    for (skipped, needed) in [(1, 0), (2, 1), (5, 2)] {
        let failure = ran.failure(skipped);
        let said = format!("skipped: depends on step {needed}");
        assert_eq!(failure.error.message, said);
        assert_eq!(failure.error.details["step"], needed);
    }
}

#[test]
fn a_value_that_is_not_there_fails_its_step_alone() {
    let steps = [
        read("a"),
        write("b").with("basis", "$0.data.remarks[0]"),
        write("c"),
    ];
    let ran = bench().run(&steps);
    assert_eq!(ran.sent(), "q[a] | m[c]");
    assert_eq!(ran.ends(), "ok VALIDATION:not_applied ok");
    assert!(ran.failure(1).error.message.contains("has no value"));
}

/// Each step needs the one before it.
#[test]
fn a_long_line_of_references_ends() {
    let next = |it: usize| read(&format!("a{it}")).after(it - 1);
    let steps: Vec<Step> = std::iter::once(read("a0"))
        .chain((1..100).map(next))
        .collect();
    let ran = bench().timeout(1000).run(&steps);
    assert_eq!(ran.log.len(), 100);
    assert_eq!(ran.ends(), vec!["ok"; 100].join(" "));
}
