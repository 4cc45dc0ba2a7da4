//! The fault matrix: chains of four steps, and what came of every fault, as tables in `matrix/`. The columns are the
//! fault, how often it strikes, the requests with reads and with writes, and how each of the four steps ended.

use capstan_core::port::Failure;
use capstan_core::{ErrorCode, Outcome};
use serde_json::json;

use crate::support::failures::{
    broken, failure, forbidden, gave_up, host_limited, limited, placed, reset, unauthorized,
    unplaced,
};
use crate::support::{Bench, Effect, Fault, Step, always, bench, labels, once, read, remark, set};

/// A chain of four steps, and which of its requests are hit.
struct Target {
    steps: [Step; 4],
    bench: fn() -> Bench,
    aim: fn(Fault) -> Fault,
    /// The step that a fault hits which hits one step, as the log calls it.
    victim: &'static str,
}

#[test]
fn reads() {
    let target = Target {
        steps: ["a", "b", "c", "d"].map(read),
        bench,
        aim: Fault::on_reads,
        victim: "b",
    };
    compare(&target, include_str!("matrix/reads.txt"));
}

#[test]
fn writes_that_can_be_verified() {
    let target = Target {
        steps: ["a", "b", "c", "d"].map(|name| set(name, "x")),
        bench,
        aim: Fault::on_writes,
        victim: "b=x",
    };
    compare(&target, include_str!("matrix/verifiable.txt"));
}

#[test]
fn writes_that_cannot_be_verified() {
    let target = Target {
        steps: ["a", "b", "c", "d"].map(|name| remark(name, "x")),
        bench,
        aim: Fault::on_writes,
        victim: "b+x",
    };
    compare(&target, include_str!("matrix/unverifiable.txt"));
}

#[test]
fn writes_among_reads() {
    let target = Target {
        steps: [read("a"), set("b", "x"), read("c"), remark("d", "x")],
        bench,
        aim: Fault::on_writes,
        victim: "b=x",
    };
    compare(&target, include_str!("matrix/writes_among_reads.txt"));
}

#[test]
fn reads_among_writes() {
    let target = Target {
        steps: [read("a"), set("b", "x"), read("c"), remark("d", "x")],
        bench,
        aim: Fault::on_reads,
        victim: "a",
    };
    compare(&target, include_str!("matrix/reads_among_writes.txt"));
}

#[test]
fn writes_in_two_requests() {
    let target = Target {
        steps: [
            set("a", "x"),
            remark("b", "x"),
            set("c", "x"),
            remark("d", "x"),
        ],
        bench: || bench().chunks(50, 2),
        aim: Fault::on_writes,
        victim: "b+x",
    };
    compare(&target, include_str!("matrix/two_requests.txt"));
}

/// Once the writes were sent, nobody can look any more.
#[test]
fn writes_that_nobody_can_look_at() {
    let target = Target {
        steps: [
            set("a", "x"),
            set("b", "x"),
            remark("c", "x"),
            set("d", "x"),
        ],
        bench: || bench().fault(always(Effect::Refuse(gave_up())).on_reads().sparing(1)),
        aim: Fault::on_writes,
        victim: "b=x",
    };
    compare(&target, include_str!("matrix/blind.txt"));
}

fn compare(target: &Target, expected: &str) {
    let mut lines = String::new();
    for (name, effect) in effects(target.victim) {
        for (times, fault) in [("once", once(effect.clone())), ("always", always(effect))] {
            // Its parts wait each for a time of its own: which of them meet again is left to chance.
            if (name, times) == ("internal", "always") {
                continue;
            }
            let ran = (target.bench)()
                .fault((target.aim)(fault))
                .run(&target.steps);
            let writes = ran.log.iter().filter(|sent| sent.is_write()).count();
            let reads = ran.log.len() - writes;
            lines.push_str(&format!(
                "{name:<16} {times:<6} {reads} {writes} {}\n",
                ran.ends()
            ));
        }
    }
    assert!(lines == expected, "the table is now:\n{lines}");
}

/// Every fault by its name.
fn effects(victim: &str) -> Vec<(&'static str, Effect)> {
    let named = || labels(&[victim]);
    let unavailable = failure(ErrorCode::Server, Outcome::Unknown);
    let too_complex = failure(ErrorCode::Validation, Outcome::NotApplied);
    let without_wait = Failure {
        retry_after: None,
        ..host_limited(0)
    };
    vec![
        ("hang_before", Effect::Hang { happens: false }),
        ("hang_after", Effect::Hang { happens: true }),
        ("reset_before", Effect::Refuse(reset())),
        ("reset_after", Effect::Lose(reset())),
        ("unauthorized", Effect::Refuse(unauthorized())),
        ("scopes", Effect::Refuse(unplaced(forbidden()))),
        ("host_limit", Effect::Refuse(host_limited(7))),
        ("host_limit_long", Effect::Refuse(host_limited(60))),
        ("host_limit_bare", Effect::Refuse(without_wait)),
        ("api_limit", Effect::Refuse(limited(11))),
        ("broken_before", Effect::Refuse(broken())),
        ("broken_after", Effect::Lose(broken())),
        ("gave_up", Effect::Refuse(gave_up())),
        ("strange_answer", Effect::Answer(json!("strange"))),
        ("too_complex", Effect::Refuse(unplaced(too_complex))),
        ("internal", Effect::Refuse(unplaced(broken()))),
        ("named", Effect::Blame(named(), Vec::new(), forbidden())),
        (
            "named_at_head",
            Effect::Blame(named(), labels(&["mutation"]), forbidden()),
        ),
        (
            "named_nobody",
            Effect::Refuse(placed(forbidden(), labels(&["1", "x"]))),
        ),
        ("beside_forbidden", Effect::Beside(named(), forbidden())),
        ("beside_limited", Effect::Beside(named(), limited(60))),
        (
            "beside_broken",
            Effect::Beside(named(), unavailable.clone()),
        ),
        ("within", Effect::Within(named(), broken())),
        (
            "unplaced",
            Effect::Unplaced(Vec::new(), unavailable.clone()),
        ),
        ("unplaced_null", Effect::Unplaced(named(), unavailable)),
        ("cut_reset", Effect::Cut(1, reset())),
        ("cut_gave_up", Effect::Cut(1, gave_up())),
    ]
}
