//! The result of a run does not depend on the order in which answers arrive.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use capstan_core::{Outcome, ResultEnvelope};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::compose::{ATTEMPTS, Sample};
use super::leaves::{LEAVES, Leaf, LeafKind, NAMES};
use super::model::{Call, Expected, Model};
use super::runner;
use super::samples::samples;
use super::world::{Bench, Event, PlannedFailure, PlannedFailures};

/// In how many orders the answers of each sample arrive.
const ORDERS: u64 = 4;

#[test]
fn a_result_does_not_depend_on_what_comes_back_first() {
    let calls = Cell::new(0);
    runner(200)
        .run(&(samples(), any::<u64>()), |(sample, seed)| {
            let bench = bench("results", &sample)?;
            let input = input(&sample);
            let expected = Model::from_sample(&sample).run(&input, &BTreeSet::new());
            calls.set(calls.get() + expected.calls.len());
            for order in 0..ORDERS {
                let mut chances = fastrand::Rng::with_seed(seed.wrapping_add(order));
                let one_by_one = order % 2 == 0;
                let none = PlannedFailures::new();
                let (envelope, events) = bench.run("flow", &input, &none, &mut chances, one_by_one);
                prop_assert!(envelope.ok, "{:?}", envelope.error);
                let output = expected.output.clone().map(Value::Object);
                prop_assert_eq!(&envelope.data, &output);
                prop_assert_eq!(sorted(began(&events)), sorted(expected.calls.clone()));
                check_order(&events, &expected)?;
                let is_over =
                    |event: &Event| !matches!(event, Event::Failed(_) | Event::Dropped(_));
                prop_assert!(events.iter().all(is_over), "{events:?}");
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    assert!(calls.get() >= 600, "{calls:?}");
}

#[test]
fn a_failure_ends_the_run_and_every_write_is_told() {
    let failed = Cell::new(0);
    let written = Cell::new(0);
    runner(200)
        .run(&(samples(), any::<u64>()), |(sample, seed)| {
            let bench = bench("failures", &sample)?;
            let input = input(&sample);
            let model = Model::from_sample(&sample);
            let well = model.run(&input, &BTreeSet::new());
            for order in 0..ORDERS {
                let mut chances = fastrand::Rng::with_seed(seed.wrapping_add(order));
                let failing = lasting_failures(&well, &mut chances);
                let paths = failing.keys().cloned().collect();
                let expected = model.run(&input, &paths);
                let (envelope, events) =
                    bench.run("flow", &input, &failing, &mut chances, order % 2 == 0);
                let fails = expected
                    .calls
                    .iter()
                    .any(|it| planned_failure(&failing, it).is_some());
                prop_assert_eq!(envelope.ok, !fails, "{:?} {:?}", failing, envelope);
                check_only_expected_calls(&events, &expected)?;
                check_order(&events, &expected)?;
                if order % 2 == 0 {
                    check_nothing_begins_after_failure(&events)?;
                }
                if fails {
                    failed.set(failed.get() + 1);
                    let done = check_failure_report(&envelope, &events, &failing)?;
                    written.set(written.get() + done);
                }
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    assert!(failed.get() >= 200, "{failed:?}");
    assert!(written.get() >= 50, "{written:?}");
}

#[test]
fn what_took_too_long_is_tried_again_and_what_may_have_written_is_not() {
    let (well, ill, unknown) = (Cell::new(0), Cell::new(0), Cell::new(0));
    runner(150)
        .run(&(samples(), any::<u64>()), |(sample, seed)| {
            let bench = bench("retries", &sample)?;
            let input = input(&sample);
            let model = Model::from_sample(&sample);
            let expected = model.run(&input, &BTreeSet::new());
            for order in 0..ORDERS {
                let mut chances = fastrand::Rng::with_seed(seed.wrapping_add(order));
                let failing = temporary_failures(&expected, &mut chances);
                let lost = |fails: &PlannedFailure| {
                    fails.outcome == Outcome::Unknown || fails.times >= Some(ATTEMPTS)
                };
                let lasting = failing.iter().filter(|(_, fails)| lost(fails));
                let lasting: BTreeSet<String> = lasting.map(|(path, _)| path.clone()).collect();
                let possible = model.run(&input, &lasting);
                let (envelope, events) =
                    bench.run("flow", &input, &failing, &mut chances, order % 2 == 0);
                prop_assert_eq!(
                    envelope.ok,
                    lasting.is_empty(),
                    "{:?} {:?}",
                    failing,
                    envelope
                );
                check_order(&events, &possible)?;
                let mut begun: BTreeMap<Call, usize> = BTreeMap::new();
                for call in began(&events) {
                    *begun.entry(call).or_default() += 1;
                }
                for (call, times) in begun {
                    let fails = planned_failure(&failing, &call);
                    let most = match fails {
                        Some(fails) if fails.outcome == Outcome::Unknown => 1,
                        Some(fails) => fails.times.map_or(1, |it| (it + 1).min(ATTEMPTS)),
                        None => 1,
                    };
                    let is_over = envelope.ok || fails.is_none();
                    prop_assert!(times <= most, "{call:?} {times} times");
                    prop_assert!(!is_over || times == most, "{call:?} {times} times");
                    prop_assert!(possible.calls.contains(&call), "{call:?}");
                }
                if envelope.ok {
                    let output = expected.output.clone().map(Value::Object);
                    prop_assert_eq!(&envelope.data, &output);
                    well.set(well.get() + failing.len());
                } else {
                    check_failure_report(&envelope, &events, &failing)?;
                    ill.set(ill.get() + 1);
                }
                let of_unknown = failing.values().filter(|it| it.outcome == Outcome::Unknown);
                unknown.set(unknown.get() + of_unknown.count());
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    assert!(well.get() >= 100, "{well:?}");
    assert!(ill.get() >= 50, "{ill:?}");
    assert!(unknown.get() >= 20, "{unknown:?}");
}

/// Returns time-outs for some of the calls, which end after a number of attempts.
fn temporary_failures(well: &Expected, chances: &mut fastrand::Rng) -> PlannedFailures {
    let paths: Vec<_> = well.calls.iter().filter(|it| it.path.is_some()).collect();
    let mut failing = PlannedFailures::new();
    for call in paths {
        if chances.u8(..4) > 0 {
            continue;
        }
        let outcome = if leaf(call).writes() && chances.u8(..4) == 0 {
            Outcome::Unknown
        } else {
            Outcome::NotApplied
        };
        let times = [1, 1, 1, 2, 2, ATTEMPTS][chances.usize(..6)];
        let times = Some(times);
        failing.insert(
            call.path.clone().unwrap(),
            PlannedFailure { outcome, times },
        );
    }
    failing
}

fn bench(name: &str, sample: &Sample) -> Result<Bench, TestCaseError> {
    let bench = Bench::new(name, &sample.text());
    match bench.at_once(bench.capstan.skill_plans().skill("flow")) {
        Ok(_) => Ok(bench),
        Err(_) => Err(TestCaseError::reject("it is not sound")),
    }
}

fn input(sample: &Sample) -> Map<String, Value> {
    let names = NAMES
        .iter()
        .map(|name| ((*name).to_owned(), json!(format!("in-{name}"))));
    let flag = [("flag".to_owned(), json!(sample.flag))];
    names.chain(flag).collect()
}

/// Returns lasting failures for one or two of the calls.
fn lasting_failures(well: &Expected, chances: &mut fastrand::Rng) -> PlannedFailures {
    let paths: Vec<_> = well.calls.iter().filter(|it| it.path.is_some()).collect();
    let mut failing = PlannedFailures::new();
    for _ in 0..chances.usize(1..=2).min(paths.len()) {
        let chosen = paths[chances.usize(..paths.len())];
        let outcome = if leaf(chosen).writes() && chances.bool() {
            Outcome::Unknown
        } else {
            Outcome::NotApplied
        };
        let times = None;
        failing.insert(
            chosen.path.clone().unwrap(),
            PlannedFailure { outcome, times },
        );
    }
    failing
}

fn planned_failure(failing: &PlannedFailures, call: &Call) -> Option<PlannedFailure> {
    failing.get(call.path.as_ref()?).copied()
}

fn leaf(call: &Call) -> &'static Leaf {
    LEAVES.iter().find(|leaf| leaf.id == call.leaf).unwrap()
}

fn began(events: &[Event]) -> Vec<Call> {
    let began = events.iter().filter_map(|event| match event {
        Event::Began(call) => Some(call.clone()),
        _ => None,
    });
    began.collect()
}

fn sorted(mut calls: Vec<Call>) -> Vec<Call> {
    calls.sort();
    calls
}

/// Checks that no step begins before the steps that it waits for have finished.
fn check_order(events: &[Event], expected: &Expected) -> Result<(), TestCaseError> {
    let mut begins: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        let (times, call) = match event {
            Event::Began(call) => (&mut begins, call),
            Event::Ended(call) => (&mut ends, call),
            Event::Failed(_) | Event::Dropped(_) => continue,
        };
        if let Some(path) = call.path.as_deref() {
            let before = times.insert(path, at);
            let is_again =
                before.is_some_and(|it| events[it..at].contains(&Event::Failed(call.clone())));
            prop_assert!(before.is_none() || is_again, "{path} twice: {events:?}");
        }
    }
    for (first, second) in &expected.order {
        if let Some(begin) = begins.get(second.as_str()) {
            let end = ends.get(first.as_str());
            prop_assert!(
                end.is_some_and(|end| end < begin),
                "{first} before {second}: {events:?}"
            );
        }
    }
    Ok(())
}

/// Checks that only expected calls are made, each with its expected input and at most as often as expected.
fn check_only_expected_calls(events: &[Event], expected: &Expected) -> Result<(), TestCaseError> {
    let mut left = expected.calls.clone();
    for call in began(events) {
        let place = left.iter().position(|it| *it == call);
        prop_assert!(
            place.is_some(),
            "{call:?} is not among {:?}",
            expected.calls
        );
        left.swap_remove(place.unwrap_or_default());
    }
    Ok(())
}

/// Checks that nothing begins after a failure, if answers arrive one by one. Cards are sent together and answered
/// together, so the failure of a card is not known before the others have finished.
fn check_nothing_begins_after_failure(events: &[Event]) -> Result<(), TestCaseError> {
    let ends_the_run = |event: &&Event| match event {
        Event::Failed(call) => matches!(leaf(call).kind, LeafKind::Code | LeafKind::Tool),
        _ => false,
    };
    let mut later = events.iter().skip_while(|event| !ends_the_run(event));
    let begins = later.find(|event| matches!(event, Event::Began(_)));
    prop_assert!(begins.is_none(), "{begins:?} after a failure: {events:?}");
    Ok(())
}

/// Checks that the envelope reports all writes. Returns how many writes were done.
fn check_failure_report(
    envelope: &ResultEnvelope,
    events: &[Event],
    failing: &PlannedFailures,
) -> Result<usize, TestCaseError> {
    let error = envelope.error.as_ref().unwrap();
    let details = &error.details;
    let step = details
        .get("step")
        .and_then(Value::as_str)
        .unwrap_or_default();
    prop_assert!(failing.contains_key(step), "{error:?}");
    let mut done = Vec::new();
    let mut unknown = Vec::new();
    for event in events {
        match event {
            Event::Ended(call) if leaf(call).writes() => done.push(call),
            Event::Failed(call)
                if planned_failure(failing, call)
                    .is_some_and(|it| it.outcome == Outcome::Unknown) =>
            {
                unknown.push(call);
            }
            Event::Dropped(call) => prop_assert!(!leaf(call).writes(), "{call:?} was dropped"),
            _ => {}
        }
    }
    let none = Vec::new();
    let completed = details
        .get("completed")
        .and_then(Value::as_array)
        .unwrap_or(&none);
    let completed: BTreeSet<&str> = completed.iter().filter_map(Value::as_str).collect();
    for call in began(events) {
        let is_told = call
            .path
            .as_deref()
            .is_some_and(|it| completed.contains(it));
        let ended = events.contains(&Event::Ended(call.clone()));
        prop_assert!(ended || !is_told, "{call:?} is told, and did not end well");
    }
    for call in &done {
        let path = call.path.as_deref().unwrap_or_default();
        prop_assert!(
            completed.contains(path),
            "{path} is not among {completed:?}"
        );
    }
    let writes = details.get("writes");
    let number = writes
        .and_then(|it| it["done"].as_u64())
        .unwrap_or_default();
    prop_assert_eq!(number, done.len() as u64, "{:?}", error);
    let named = writes
        .and_then(|it| it["unknown"].as_array())
        .map_or(0, Vec::len);
    prop_assert_eq!(named, unknown.len(), "{:?}", error);
    let outcome = match (unknown.is_empty(), done.is_empty()) {
        (false, _) => "unknown",
        (true, false) => "applied",
        (true, true) => return Ok(0),
    };
    prop_assert_eq!(details.get("outcome"), Some(&json!(outcome)), "{:?}", error);
    Ok(done.len())
}
