//! Random writes on a few things, in requests of random size: a chain leaves the world as the steps do one after the
//! other, and a plan shows what is sent.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use crate::support::{
    Step, bench, guarded, planned_requests, read, remark, sent_requests, set, set_rest, write,
    write_rest,
};

const CASES: u32 = 80;

fn check<S: Strategy>(chains: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    if let Err(failure) = TestRunner::new(config).run(chains, test) {
        panic!("{failure}");
    }
}

#[test]
fn a_chain_does_what_its_steps_do_one_after_the_other() {
    let chains = (
        prop::collection::vec(write_step(), 2..9),
        1..6_usize,
        1..6_usize,
    );
    check(&chains, |(steps, reads, writes)| {
        let world = || {
            bench()
                .value("a", "x")
                .value("b", "locked")
                .without("missing")
        };
        let one_by_one = world();
        let mut expected = Vec::new();
        let mut things = BTreeMap::new();
        for step in &steps {
            let ran = one_by_one.run(std::slice::from_ref(step));
            expected.push(ran.step_ends()[0].result.is_ok());
            things = ran.things;
        }
        let ran = world().chunks(reads, writes).run(&steps);
        let went: Vec<_> = ran
            .step_ends()
            .iter()
            .map(|end| end.result.is_ok())
            .collect();
        prop_assert_eq!(went, expected, "{}", ran.sent());
        prop_assert_eq!(&ran.things, &things, "{}", ran.sent());
        Ok(())
    });
}

fn write_step() -> impl Strategy<Value = Step> {
    let name = prop::sample::select(vec!["a", "b", "c", "missing"]);
    let value = prop::sample::select(vec!["x", "y", "locked"]);
    (0..7_u8, name, value).prop_map(|(kind, name, value)| match (kind, name) {
        (0 | 1, _) => set(name, value),
        (2, _) => remark(name, value),
        (3 | 4, _) => guarded(name, value),
        // What REST does without a look it does to what is there.
        (5, "a" | "b") => set_rest(name, value),
        _ => remark("a", name),
    })
}

/// Every step has something to do and can do it: a plan cannot know better.
#[test]
fn what_is_planned_is_what_is_sent() {
    let pick = (
        0..6_u8,
        prop::option::weighted(0.3, any::<prop::sample::Index>()),
    );
    let chains = (prop::collection::vec(pick, 1..12), 1..6_usize, 1..6_usize);
    check(&chains, |(picks, reads, writes)| {
        let step = |(place, (kind, from)): (usize, (u8, Option<prop::sample::Index>))| {
            let name = format!("n{place}");
            let step = match kind {
                0 => read(&name),
                1 | 2 => write(&name),
                3 => write_rest(&name),
                4 => remark(&name, "x"),
                _ => set(&name, "x"),
            };
            match from {
                Some(from) if place > 0 => step.after(from.index(place)),
                _ => step,
            }
        };
        let steps: Vec<Step> = picks.into_iter().enumerate().map(step).collect();
        let bench = bench().chunks(reads, writes);
        let planned = planned_requests(&bench.plan(&steps));
        let ran = bench.run(&steps);
        prop_assert_eq!(planned, sent_requests(&ran.log), "{}", ran.sent());
        Ok(())
    });
}
