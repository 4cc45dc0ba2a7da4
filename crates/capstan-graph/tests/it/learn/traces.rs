//! Builds traces, and shows what was learned as text.

use std::sync::Arc;

use capstan_core::code::{Evidence, Mode, Observation, Trace, TraceCall, TraceId, TraceState};
use capstan_graph::{Maker, Makers, learn};
use serde_json::{Value, json};

pub(crate) fn trace(mode: Mode, calls: Vec<TraceCall>) -> Trace {
    Trace {
        id: TraceId::new(0, 0),
        mode,
        state: TraceState::Ended,
        intent: None,
        capability: None,
        input: Value::Null,
        follows: None,
        started_at: 0,
        duration_us: 0,
        ok: true,
        error_code: None,
        error: None,
        calls,
        console: Vec::new(),
        console_cut: false,
    }
}

/// A call with a start and an end, alone in its batch.
pub(crate) fn call(capability: &str, from: u64, to: u64) -> TraceCall {
    TraceCall {
        capability: capability.to_owned(),
        code: None,
        step: None,
        within: None,
        batch: 1000 + from as u32,
        started_us: from,
        duration_us: to - from,
        ok: true,
        error_code: None,
        error: None,
        outcome: None,
        input: Value::Null,
        output: Value::Null,
    }
}

pub(crate) fn within(outer: u32, call: TraceCall) -> TraceCall {
    TraceCall {
        within: Some(outer),
        ..call
    }
}

pub(crate) fn batch(batch: u32, call: TraceCall) -> TraceCall {
    TraceCall { batch, ..call }
}

pub(crate) fn failed(call: TraceCall) -> TraceCall {
    TraceCall { ok: false, ..call }
}

pub(crate) fn data(input: Value, output: Value, call: TraceCall) -> TraceCall {
    TraceCall {
        input,
        output,
        ..call
    }
}

pub(crate) fn step(name: &str, call: TraceCall) -> TraceCall {
    TraceCall {
        step: Some(name.to_owned()),
        ..call
    }
}

/// Returns true for everything but Capstan's own actions.
pub(crate) fn is_node(id: &str) -> bool {
    !["cap.", "run.", "trace.", "dep.", "graph."]
        .iter()
        .any(|own| id.starts_with(own))
}

/// Returns what a trace teaches if nothing rules out that values were passed: all calls are made by
/// skills without a text.
pub(crate) fn observed(trace: &Trace) -> Vec<Observation> {
    let mut makers = Makers::default();
    let maker = Arc::new(Maker::Skill(String::new()));
    for within in trace.calls.iter().map(|call| call.within).chain([None]) {
        makers.insert(within, Arc::clone(&maker));
    }
    learn(trace, is_node, &makers)
}

/// Returns one line for each observation.
pub(crate) fn learned(trace: &Trace) -> Vec<String> {
    observed(trace).iter().map(shown).collect()
}

/// Returns the lines of one kind.
pub(crate) fn of_kind(trace: &Trace, kind: &str) -> Vec<String> {
    let all = learned(trace).into_iter();
    all.filter(|line| line.split(' ').nth(1) == Some(kind))
        .collect()
}

fn shown(it: &Observation) -> String {
    let evidence = match &it.evidence {
        Evidence::Called | Evidence::Followed => String::new(),
        Evidence::FollowedInSession => " in session".to_owned(),
        Evidence::PassedOn(passed) => {
            let all = passed
                .iter()
                .map(|it| format!(" {}→{}", it.output, it.input));
            all.collect()
        }
        other => format!(" {}", json!(other)),
    };
    let times = match it.times {
        1 => String::new(),
        times => format!(" ×{times}"),
    };
    format!(
        "{} {} {}{times}{evidence}",
        it.from,
        it.kind.as_str(),
        it.to
    )
}
