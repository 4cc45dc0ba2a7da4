//! Dropping a chain ends it: nothing else is sent, and the observer knows how far it was.

use std::time::Duration;

use crate::support::failures::{limited, not_connected, reset};
use crate::support::{Bench, Effect, Step, bench, once, read, remark, set, write};

/// Runs a chain until so many requests have left, drops it, and lets time pass.
fn check(what: &str, bench: &Bench, requests: usize, steps: &[Step], sent: &str, heard: &str) {
    let ran = bench.drop_after(requests, steps);
    assert_eq!(
        (ran.sent().as_str(), ran.heard().as_str()),
        (sent, heard),
        "{what}"
    );
    bench
        .clock
        .drive(bench.clock.pass(Duration::from_secs(600)));
    assert_eq!(
        bench.world.log().len(),
        ran.log.len(),
        "{what}: nothing follows"
    );
    // Whoever comes next is not disturbed.
    assert_eq!(bench.run(&[read("later")]).ends(), "ok", "{what}");
}

#[test]
fn nothing_follows_a_chain_that_was_dropped() {
    let one = || bench().chunks(1, 1);
    let writes = || [write("a"), write("b"), write("c")];
    check("a write under way", &one(), 1, &writes(), "m[a]", "w0");
    check(
        "after one write",
        &one(),
        2,
        &writes(),
        "m[a] | m[b]",
        "w0 0:ok back w1",
    );
    check(
        "after two",
        &one(),
        3,
        &writes(),
        "m[a] | m[b] | m[c]",
        "w0 0:ok back w1 1:ok back w2",
    );
    let reads: Vec<Step> = (0..6).map(|it| read(&format!("a{it}"))).collect();
    check(
        "reads",
        &one(),
        1,
        &reads,
        "q[a0] + q[a1] + q[a2] + q[a3]",
        "r0 r1 r2 r3",
    );
    check(
        "after its lookup",
        &one(),
        2,
        &[remark("a", "x"), write("b")],
        "q[?a] | m[a+x]",
        "r0 w0",
    );
    let both = [write("a"), read("b"), read("c").after(1)];
    check(
        "what was over is told",
        &one(),
        3,
        &both,
        "m[a] | q[b] | q[c]",
        "w0 0:ok back r1 r2 1:ok",
    );
}

#[test]
fn what_became_of_its_writes_is_known() {
    let lost = bench()
        .chunks(9, 1)
        .fault(once(Effect::Lose(reset())).on_writes());
    check(
        "a lost write is looked for",
        &lost,
        3,
        &[set("a", "x"), write("b")],
        "q[?a] | m[a=x] | q[?a]",
        "r0 w0 back r0",
    );
    let refused = bench().fault(once(Effect::Refuse(not_connected())).on_writes());
    check(
        "a write is tried again",
        &refused,
        2,
        &[write("a")],
        "m[a] | m[a]",
        "w0 -0 back w0",
    );
    let doubtful = bench()
        .chunks(9, 1)
        .fault(once(Effect::Lose(reset())).on_writes());
    check(
        "a write is held back",
        &doubtful,
        2,
        &[write("a"), write("b"), read("c")],
        "m[a] | q[c]",
        "w0 0:unknown back r2 1:not_applied",
    );
}

#[test]
fn a_chain_that_was_never_polled_sends_nothing() {
    let bench = bench();
    drop(bench.start(&[read("a"), write("b")]));
    assert!(bench.world.log().is_empty());
}

/// Between two writes, while it waits for the time to come.
#[test]
fn a_chain_can_be_dropped_while_it_waits() {
    let bench = bench().fault(once(Effect::Refuse(limited(7))).on_writes());
    let steps = [write("a")];
    {
        let mut running = std::pin::pin!(bench.start(&steps));
        let is_waiting = || bench.clock.waits().len() == 1;
        assert!(
            bench
                .clock
                .drive_until(running.as_mut(), is_waiting)
                .is_none()
        );
    }
    bench
        .clock
        .drive(bench.clock.pass(Duration::from_secs(600)));
    assert_eq!(bench.world.log().len(), 1);
}
