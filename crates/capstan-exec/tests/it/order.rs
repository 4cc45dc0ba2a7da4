//! The order of reads and writes: a read sees every write that is listed before it, and writes keep their order.

use crate::support::failures::{forbidden, reset};
use crate::support::{
    Effect, bench, check, check_timed, list, once, read, read_rest, remark, row, set, write,
    write_rest,
};

#[test]
fn a_read_leaves_after_the_writes_before_it() {
    check([
        row(
            "after one",
            bench(),
            [write("a"), read("b")],
            "m[a] | q[b]",
            "ok ok",
        ),
        row(
            "around it",
            bench(),
            [read("a"), write("b"), read("c")],
            "m[b] + q[a] | q[c]",
            "ok ok ok",
        ),
        row(
            "after all of them",
            bench().chunks(9, 1),
            [write("a"), write("b"), read("c")],
            "m[a] | m[b] | q[c]",
            "ok ok ok",
        ),
        row(
            "between two, it does not keep them apart",
            bench(),
            [write("a"), read("b"), write("c"), read("d")],
            "m[a c] | q[b d]",
            "ok ok ok ok",
        ),
        row(
            "between two requests, it waits for others like it",
            bench().chunks(9, 1),
            [write("a"), read("b"), write("c"), read("d")],
            "m[a] | m[c] | q[b d]",
            "ok ok ok ok",
        ),
        row(
            "between two requests, alone",
            bench().chunks(9, 1),
            [write("a"), read("b"), write("c")],
            "m[a] | m[c] + q[b]",
            "ok ok ok",
        ),
        row(
            "whatever the route",
            bench(),
            [write_rest("a"), read("b"), read_rest("c")],
            "rest![a] | q[b] + rest[c]",
            "ok ok ok",
        ),
        row(
            "a lookup is not a read",
            bench(),
            [read("a"), set("a", "x"), read("b")],
            "q[a ?a] | m[a=x] | q[b]",
            "ok ok ok",
        ),
        row(
            "a write that failed",
            bench().fault(once(Effect::Refuse(forbidden())).on_writes()),
            [write("a"), read("b")],
            "m[a] | q[b]",
            "AUTH:not_applied ok",
        ),
        row(
            "a write in doubt",
            bench().fault(once(Effect::Lose(reset())).on_writes()),
            [write("a"), read("b")],
            "m[a] | q[b]",
            "NETWORK:unknown ok",
        ),
        row(
            "a write that is looked for",
            bench().fault(once(Effect::Lose(reset())).on_writes()),
            [set("a", "x"), read("b")],
            "q[?a] | m[a=x] | q[?a] | q[b]",
            "seen ok",
        ),
        row(
            "a write with nothing to do",
            bench().value("a", "x"),
            [set("a", "x"), read("b")],
            "q[?a] | q[b]",
            "same ok",
        ),
    ]);
}

#[test]
fn a_read_that_a_write_refers_to_waits_for_no_other_read() {
    check([
        row(
            "in one lane",
            bench(),
            [write("a"), read("b"), write("c").after(1), read("d")],
            "m[a] | q[b] | m[c] | q[d]",
            "ok ok ok ok",
        ),
        row(
            "directly or not",
            bench(),
            [
                write("a"),
                read("b"),
                read("c").after(1),
                write("d").after(2),
                read("e"),
            ],
            "m[a] | q[b] | q[c] | m[d] | q[e]",
            "ok ok ok ok ok",
        ),
        row(
            "before the first write",
            bench(),
            [read("a"), write("b").after(0), read("c")],
            "q[a] | m[b] | q[c]",
            "ok ok ok",
        ),
    ]);
}

#[test]
fn what_a_read_shows_is_told() {
    let ran = bench().run(&[
        read("a"),
        write("b"),
        read("b"),
        write("c"),
        write("b"),
        list("d", 1),
    ]);
    assert_eq!(ran.sent(), "m[b c b] + q[a] | q[b d]");
    let later: Vec<_> = ran.step_ends().iter().map(|end| end.later_write).collect();
    // The third was read after a later write, and shows what that one did.
    assert_eq!(later, [None, None, Some(4), None, None, None]);
    assert_eq!(
        ran.data(2)["remarks"],
        serde_json::json!(["written", "written"])
    );
}

#[test]
fn what_did_not_happen_is_not_shown() {
    let refused = once(Effect::Beside(vec!["c".to_owned()], forbidden())).on_writes();
    let ran = bench()
        .fault(refused)
        .run(&[write("a"), read("b"), write("c")]);
    assert_eq!(ran.ends(), "ok ok AUTH:not_applied");
    assert_eq!(ran.step_ends()[1].later_write, None);
}

/// Reads that are ready when others are under way wait for them, so that they leave together.
#[test]
fn reads_leave_level_by_level() {
    let slow = once(Effect::Delay(std::time::Duration::from_secs(5))).with("a");
    check_timed([
        row(
            "a slow read",
            bench().chunks(1, 9).fault(slow),
            [read("a"), read("b"), read("c").after(1)],
            "0s q[a] + 0s q[b] | 6s q[c]",
            "ok ok ok",
        ),
        row(
            "two levels",
            bench(),
            [read("a"), read("b").after(0), read("c"), read("d").after(2)],
            "0s q[a c] | 1s q[b d]",
            "ok ok ok ok",
        ),
    ]);
}

#[test]
fn writes_keep_their_order_across_routes_and_requests() {
    let ran = bench().chunks(9, 2).run(&[
        remark("a", "1"),
        write_rest("a"),
        remark("a", "2"),
        remark("a", "3"),
        remark("a", "4"),
        write("a"),
    ]);
    assert_eq!(
        ran.sent(),
        "q[?a] | m[a+1] | rest![a] | m[a+2 a+3] | m[a+4 a]"
    );
    assert_eq!(ran.remarks("a"), "1 written 2 3 4 written");
}
