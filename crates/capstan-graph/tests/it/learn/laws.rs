//! Properties that hold for every trace, however broken.

use std::collections::BTreeSet;

use capstan_core::code::{Mode, Trace, TraceCall};
use capstan_graph::{MAX_OBSERVATIONS, may_teach};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::traces::{call, is_node, observed, trace};
use crate::samples::{any_node, fqdn, named};

/// A few values, so that many are equal.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        select(vec![
            "alpha",
            "beta",
            "$0.data.id",
            "$s1.data.id",
            "[redacted]",
            "open",
            "ab"
        ])
        .prop_map(Value::from),
        select(vec![1, 2, 10, 77]).prop_map(Value::from),
        Just(Value::Null),
        Just(json!({"cut": "9000 bytes"})),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        let name = select(vec!["id", "number", "issue_number", "x"]);
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec((name, inner), 0..4).prop_map(|fields| {
                Value::Object(
                    fields
                        .into_iter()
                        .map(|(name, it)| (name.to_owned(), it))
                        .collect(),
                )
            }),
        ]
    })
}

fn any_call(calls: u32) -> impl Strategy<Value = TraceCall> {
    let capability = select(vec!["a", "b", "c", "d", "cap.list", ""]);
    let within = option::weighted(0.4, prop_oneof![9 => 0..calls, 1 => Just(u32::MAX)]);
    let code = option::weighted(0.2, select(vec!["one", "two"]));
    let step = option::of(select(vec!["s1", "s2"]));
    (
        (capability, code, step, within, 0..6_u32),
        (
            0..20_u64,
            0..6_u64,
            prop::bool::weighted(0.9),
            any_value(),
            any_value(),
        ),
    )
        .prop_map(
            |((capability, code, step, within, batch), (start, duration, ok, input, output))| {
                TraceCall {
                    code: code.map(fqdn),
                    step: step.map(str::to_owned),
                    within,
                    batch,
                    ok,
                    input,
                    output,
                    ..call(capability, start, start + duration)
                }
            },
        )
}

fn any_trace() -> impl Strategy<Value = Trace> {
    let mode = select(vec![
        Mode::Single,
        Mode::Chain,
        Mode::Direct,
        Mode::ByName,
        Mode::Skill,
    ]);
    let calls = (1..12_u32).prop_flat_map(|count| vec(any_call(count), count as usize));
    (calls, mode, option::of(any_node())).prop_map(|(calls, mode, follows)| Trace {
        follows,
        capability: Some(fqdn("whole").to_string()),
        ..trace(mode, calls)
    })
}

/// Returns the trace with its calls in another order; nesting and times stay.
fn permuted(trace: &Trace, order: &[usize]) -> Trace {
    let mut calls = Vec::new();
    for old in order {
        let mut call = trace.calls[*old].clone();
        call.within = call.within.map(|within| {
            let new = order.iter().position(|it| *it == within as usize);
            new.map_or(within, |it| it as u32)
        });
        calls.push(call);
    }
    Trace {
        calls,
        ..trace.clone()
    }
}

/// Traces of at most two calls, some of which follow the same capability.
fn any_short_trace() -> impl Strategy<Value = Trace> {
    let modes = vec![Mode::Single, Mode::Single, Mode::ByName, Mode::Suggestion];
    let follows = option::of(prop_oneof![
        select(vec!["a", "b"]).prop_map(named),
        any_node()
    ]);
    let calls = (0..3_u32).prop_flat_map(|count| vec(any_call(count.max(1)), count as usize));
    (calls, select(modes), follows).prop_map(|(calls, mode, follows)| Trace {
        follows,
        ..trace(mode, calls)
    })
}

#[test]
fn a_call_teaches_what_it_follows() {
    let single = |calls: &[&str], follows: Option<&str>| Trace {
        follows: follows.map(named),
        ..trace(
            Mode::Single,
            calls.iter().map(|id| call(id, 0, 1)).collect(),
        )
    };
    assert!(!may_teach(&single(&["a"], None)));
    assert!(!may_teach(&single(&["a"], Some("a"))));
    assert!(may_teach(&single(&["a"], Some("b"))));
    assert!(may_teach(&single(&["a", "b"], None)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_may_not_teach_teaches_nothing(trace in any_short_trace()) {
        let observed = observed(&trace);
        prop_assert!(may_teach(&trace) || observed.is_empty(), "{observed:?}");
    }

    #[test]
    fn a_trace_teaches_the_same_in_any_order(
        (trace, order) in any_trace().prop_flat_map(|trace| {
            let places: Vec<usize> = (0..trace.calls.len()).collect();
            (Just(trace), Just(places).prop_shuffle())
        })
    ) {
        prop_assert_eq!(observed(&trace), observed(&trace));
        // Steps of a chain that began in the same microsecond are ordered only by their index.
        if trace.mode != Mode::Chain {
            prop_assert_eq!(observed(&permuted(&trace, &order)), observed(&trace));
        }
    }

    #[test]
    fn the_steps_of_a_chain_are_known_by_their_times(
        (mut trace, order) in any_trace().prop_flat_map(|trace| {
            let places: Vec<usize> = (0..trace.calls.len()).collect();
            (Just(trace), Just(places).prop_shuffle())
        })
    ) {
        trace.mode = Mode::Chain;
        for (place, call) in trace.calls.iter_mut().enumerate() {
            call.started_us = 100 * place as u64;
            call.batch = 0;
        }
        prop_assert_eq!(observed(&permuted(&trace, &order)), observed(&trace));
    }

    #[test]
    fn what_is_learned_is_sorted_merged_and_of_others(trace in any_trace()) {
        let learned = observed(&trace);
        let keys: Vec<_> = learned.iter().map(|it| (&it.from, &it.to, it.kind.as_str())).collect();
        let unique: BTreeSet<_> = keys.iter().collect();
        prop_assert_eq!(unique.len(), keys.len());
        prop_assert!(learned.is_sorted_by_key(|it| (&it.from, &it.to)));
        for it in &learned {
            prop_assert!(it.from != it.to && it.times > 0);
            for node in [&it.from, &it.to] {
                prop_assert!(node.code().is_some() || is_node(node.as_str()) && !node.as_str().is_empty());
            }
        }
    }

    #[test]
    fn failures_teach_nothing(trace in any_trace()) {
        let calls = trace.calls.iter().cloned();
        let failed = Trace {
            calls: calls.map(|call| TraceCall { ok: false, ..call }).collect(),
            ok: false,
            ..trace
        };
        prop_assert_eq!(observed(&failed), []);
    }
}

/// Many calls, one after the other, each with its own name.
fn long(calls: usize) -> Vec<TraceCall> {
    let all = 0..calls;
    all.map(|n| call(&format!("c{n}"), 2 * n as u64, 2 * n as u64 + 1))
        .collect()
}

#[test]
fn what_is_learned_is_bounded_and_the_surest_stays() {
    let mut calls = long(5_000);
    calls[0].output = json!({"id": "I_abc"});
    calls[4_999].input = json!({"id": "I_abc"});
    let learned = observed(&trace(Mode::Direct, calls));
    assert_eq!(learned.len(), MAX_OBSERVATIONS);
    assert!(
        learned
            .iter()
            .any(|it| it.from.as_str() == "c4999" && it.to.as_str() == "c0")
    );
    // Two large groups that follow each other.
    let mut calls = long(200);
    for (place, call) in calls.iter_mut().enumerate() {
        call.batch = (place / 100) as u32;
    }
    assert_eq!(observed(&trace(Mode::Direct, calls)).len(), 32);
}

#[test]
fn hostile_traces_are_survived() {
    let mut deep = json!("I_abc");
    for _ in 0..300 {
        deep = json!({"x": [deep]});
    }
    let wide: Value = (0..200_000).map(|n| json!(format!("value {n}"))).collect();
    let name = "n".repeat(1 << 20);
    let mut calls = long(3_000);
    for (place, call) in calls.iter_mut().enumerate() {
        // Every call gives and takes the same values.
        call.output = json!({"a": "same thing", "b": ["same thing", "same thing"]});
        call.input = json!({"a": "same thing", "q": "$0.data.a"});
        call.within = match place % 7 {
            0 => None,
            1 => Some(place as u32),
            2 => Some(place as u32 + 1),
            3 => Some(u32::MAX),
            _ => Some(place as u32 - 1),
        };
    }
    calls[0].input = wide.clone();
    calls[0].output = deep.clone();
    calls[7].input = deep;
    calls[7].output = wide;
    calls[14].input = json!({name.clone(): "I_abc"});
    calls[14].capability = name;
    calls[21].started_us = u64::MAX;
    calls[21].duration_us = u64::MAX;
    for mode in [Mode::Direct, Mode::Chain, Mode::Skill] {
        let learned = observed(&trace(mode, calls.clone()));
        assert!(learned.len() <= MAX_OBSERVATIONS);
    }
    // One long chain of calls, each within the next.
    let mut calls = long(50_000);
    for (place, call) in calls.iter_mut().enumerate() {
        call.within = Some(place as u32 + 1);
        call.capability = "cap.own".to_owned();
    }
    assert_eq!(observed(&trace(Mode::Direct, calls.clone())), []);
    let last = calls.len() - 1;
    calls[last].within = None;
    calls[0].capability = "a".to_owned();
    let whole = Trace {
        capability: Some(fqdn("whole").to_string()),
        ..trace(Mode::Direct, calls)
    };
    assert_eq!(observed(&whole).len(), 1);
}
