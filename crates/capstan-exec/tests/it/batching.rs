//! What travels together: reads in one request, writes in another, lookups before the writes.

use std::time::Duration;

use crate::support::{
    Step, bench, check, gather, list, read, read_rest, remark, remember, row, set, write,
    write_rest,
};

#[test]
fn steps_share_requests() {
    check([
        row("one read", bench(), [read("a")], "q[a]", "ok"),
        row("one write", bench(), [write("a")], "m[a]", "ok"),
        row(
            "reads",
            bench(),
            [read("a"), read("b"), read("c")],
            "q[a b c]",
            "ok ok ok",
        ),
        row(
            "writes",
            bench(),
            [write("a"), write("b"), write("c")],
            "m[a b c]",
            "ok ok ok",
        ),
        row(
            "reads of other kinds",
            bench(),
            [read("a"), list("b", 5)],
            "q[a b]",
            "ok ok",
        ),
        row(
            "both, at once",
            bench(),
            [read("a"), read("b"), write("c"), write("d")],
            "m[c d] + q[a b]",
            "ok ok ok ok",
        ),
        row(
            "lookups in one request",
            bench(),
            [remark("a", "x"), set("b", "y")],
            "q[?a ?b] | m[a+x b=y]",
            "ok ok",
        ),
        row(
            "several lookups of one step",
            bench(),
            [gather("a", &["b", "c"])],
            "q[?a ?b ?c] | m[a+x]",
            "ok",
        ),
        row(
            "a write waits for those about to be ready",
            bench(),
            [write("a"), remark("b", "x")],
            "q[?b] | m[a b+x]",
            "ok ok",
        ),
        row(
            "reads travel with lookups",
            bench(),
            [read("a"), remark("b", "x")],
            "q[a ?b] | m[b+x]",
            "ok ok",
        ),
        row("nothing at all", bench(), [], "", ""),
    ]);
}

#[test]
fn what_is_asked_twice_is_sent_once_and_what_is_written_twice_is_written_twice() {
    check([
        row(
            "reads",
            bench(),
            [read("a"), read("b"), read("a"), read("a")],
            "q[a b]",
            "ok ok ok ok",
        ),
        row(
            "reads over REST travel each by itself",
            bench(),
            [read_rest("a"), read_rest("a")],
            "rest[a] + rest[a]",
            "ok ok",
        ),
        row(
            "writes",
            bench(),
            [write("a"), write("a"), write("a")],
            "m[a a a]",
            "ok ok ok",
        ),
        row(
            "lookups",
            bench(),
            [remark("a", "x"), remark("a", "y"), set("a", "z")],
            "q[?a] | m[a+x a+y a=z]",
            "ok ok ok",
        ),
        row(
            "a read and a lookup are different",
            bench(),
            [read("a"), remark("a", "x")],
            "q[a ?a] | m[a+x]",
            "ok ok",
        ),
    ]);
    let ran = bench().run(&[write("a"), write("a"), read("a")]);
    assert_eq!(
        ran.data(2)["remarks"],
        serde_json::json!(["written", "written"])
    );
}

#[test]
fn alike_reads_are_shaped_each_in_its_own_way() {
    let mut short = read("a");
    short.chain_step.request.options.fields = Some(vec!["id".to_owned()]);
    let ran = bench().run(&[read("a"), short]);
    assert_eq!(ran.sent(), "q[a]");
    assert_eq!(ran.data(1), &serde_json::json!({"id": "id-a"}));
    assert_eq!(ran.data(0)["name"], "a");
}

#[test]
fn what_a_lookup_found_is_remembered_if_it_does_not_change() {
    let bench = bench();
    let first = bench.run(&[remember("a", "x"), remember("a", "y")]);
    let second = bench.run(&[remember("a", "z"), remark("a", "w")]);
    let sent = [first.sent(), second.sent()];
    assert_eq!(sent, ["q[?a] | m[a+x a+y]", "q[?a] | m[a+z a+w]"]);
    assert_eq!(bench.run(&[remember("a", "v")]).sent(), "m[a+v]");
    // It was found after one second, and is remembered for ten minutes.
    for (seconds, sent) in [(600, "m[a+u]"), (601, "q[?a] | m[a+u]")] {
        let left = Duration::from_secs(seconds) - bench.clock.elapsed();
        bench.clock.drive(bench.clock.pass(left));
        assert_eq!(bench.run(&[remember("a", "u")]).sent(), sent);
    }
}

#[test]
fn what_may_change_is_looked_up_for_every_chain_anew() {
    let bench = bench();
    for value in ["x", "y", "x"] {
        let ran = bench.run(&[set("a", value), set("b", value)]);
        assert_eq!(
            (ran.sent().as_str(), ran.ends().as_str()),
            match value {
                "x" => ("q[?a ?b] | m[a=x b=x]", "ok ok"),
                _ => ("q[?a ?b] | m[a=y b=y]", "ok ok"),
            }
        );
    }
}

#[test]
fn what_cannot_travel_with_others_travels_beside_them() {
    check([
        row(
            "reads",
            bench(),
            [read("a"), read_rest("b"), read("c")],
            "q[a c] + rest[b]",
            "ok ok ok",
        ),
        row(
            "writes",
            bench(),
            [write_rest("a"), write_rest("b")],
            "rest![a] | rest![b]",
            "ok ok",
        ),
        row(
            "writes in between",
            bench(),
            [write("a"), write_rest("b"), write("c")],
            "m[a] | rest![b] | m[c]",
            "ok ok ok",
        ),
    ]);
}

/// Of thirty reads three are not there: each is told so by itself.
#[test]
fn what_is_not_there_fails_alone() {
    let steps: Vec<Step> = (0..30).map(|it| read(&format!("a{it}"))).collect();
    let bench = bench().without("a0").without("a14").without("a29");
    let ran = bench.run(&steps);
    assert_eq!(ran.log.len(), 1);
    let failed: Vec<_> = (0..30)
        .filter(|it| ran.step_ends()[*it].result.is_err())
        .collect();
    assert_eq!(failed, [0, 14, 29]);
    assert_eq!(ran.failure(14).error.code.as_str(), "NOT_FOUND");
}

/// A lookup that finds nothing ends its own step, and the others are written.
#[test]
fn a_write_whose_thing_is_not_there_fails_alone() {
    let bench = bench().without("b");
    check([row(
        "",
        bench,
        [set("a", "x"), set("b", "x"), write("c")],
        "q[?a ?b] | m[a=x c]",
        "ok NOT_FOUND:not_applied ok",
    )]);
}

#[test]
fn requests_and_chunks_are_counted() {
    let ran = bench().run(&[read("a"), remark("b", "x"), read_rest("c")]);
    let end = ran.chain_end();
    assert_eq!(ran.sent(), "q[a ?b] | m[b+x] | rest[c]");
    assert_eq!((end.requests, end.chunks), (3, 3));
}
