//! Reads the calls of a trace as observations for a draft.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use capstan_core::code::kept::is_cut;
use capstan_core::code::{Mode, Trace, TraceCall};
use capstan_skill::{Link, ObservedCall};

use capstan_exec::masked::is_masked;
use capstan_exec::reference::{Reference, recorded};

/// Returns the calls of a trace that made no other calls.
pub(super) fn observed(trace: &Trace) -> Vec<ObservedCall> {
    let parents: BTreeSet<u32> = trace.calls.iter().filter_map(|call| call.within).collect();
    let is_leaf = |place: &usize| !u32::try_from(*place).is_ok_and(|it| parents.contains(&it));
    let leaves: Vec<usize> = (0..trace.calls.len()).filter(is_leaf).collect();
    let numbers: HashMap<usize, usize> = leaves
        .iter()
        .enumerate()
        .map(|(number, place)| (*place, number))
        .collect();
    let all = leaves
        .iter()
        .map(|place| observed_call(trace, *place, &numbers));
    all.collect()
}

/// Returns the call at `place` in the trace. `numbers` are the numbers of the leaves, by place.
fn observed_call(trace: &Trace, place: usize, numbers: &HashMap<usize, usize>) -> ObservedCall {
    let call = &trace.calls[place];
    let kept = |value: &Value| (!value.is_null() && !is_cut(value)).then(|| value.clone());
    let mut seen = ObservedCall {
        capability: call.capability.clone(),
        step: call.step.clone(),
        batch: call.batch,
        ok: call.ok,
        output: kept(&call.output),
        ..ObservedCall::default()
    };
    let Some(mut input) = kept(&call.input) else {
        return seen;
    };
    let beside = steps_of_chain(trace, call);
    for reference in references(trace, &beside, place, &input) {
        let from = beside[reference.step];
        let name = top_field(&reference.at);
        let value = kept(&trace.calls[from].output).and_then(|it| reference.value(&it));
        match (value, input.pointer_mut(&reference.at)) {
            (Some(value), Some(place)) => *place = value,
            _ => {
                seen.hidden.insert(name);
            }
        }
        if let Some(number) = numbers.get(&from) {
            seen.links.push(Link {
                from: *number,
                path: reference.segments().to_vec(),
                at: reference.at,
            });
        }
    }
    let Value::Object(fields) = input else {
        return seen;
    };
    for (name, _) in fields.iter().filter(|(_, value)| is_masked(value)) {
        seen.hidden.insert(name.clone());
        // The origin of the other parts of a masked field is unknown, too.
        seen.links.retain(|link| top_field(&link.at) != *name);
    }
    seen.input = Some(fields);
    seen
}

/// Returns the places of all steps of the chain that a call belongs to, in order.
fn steps_of_chain(trace: &Trace, call: &TraceCall) -> Vec<usize> {
    let calls = trace.calls.iter().enumerate();
    let same = calls.filter(|(_, it)| it.within == call.within && it.batch == call.batch);
    same.map(|(place, _)| place).collect()
}

/// Returns the references of an input to other steps. Only chains from a caller have them; the trace keeps them as
/// they were written.
fn references(trace: &Trace, beside: &[usize], place: usize, input: &Value) -> Vec<Reference> {
    if trace.mode != Mode::Chain || trace.calls[place].within.is_some() {
        return Vec::new();
    }
    let earlier = beside.iter().take_while(|it| **it < place);
    let names: Vec<_> = earlier.map(|it| trace.calls[*it].step.as_deref()).collect();
    recorded(input, &names)
}

/// Returns the name of the input field that a JSON pointer leads into.
fn top_field(pointer: &str) -> String {
    let first = pointer.split('/').nth(1).unwrap_or_default();
    first.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use capstan_core::code::TraceId;
    use serde_json::json;

    use super::*;

    fn trace(mode: Mode, calls: &Value) -> Trace {
        let whole = json!({
            "id": TraceId::new(0, 0), "mode": mode, "started_at": 0, "duration_us": 0, "ok": true,
            "calls": calls,
        });
        serde_json::from_value(whole).unwrap()
    }

    fn call(more: Value) -> Value {
        let mut call = json!({
            "capability": "issue.view", "batch": 0, "started_us": 0, "duration_us": 0, "ok": true,
        });
        if let (Value::Object(call), Value::Object(more)) = (&mut call, more) {
            call.extend(more);
        }
        call
    }

    #[test]
    fn calls_that_made_other_calls_are_left_out() {
        let calls = json!([
            call(json!({"capability": "code"})),
            call(json!({"within": 0, "input": {"a": 1}})),
            call(json!({"capability": "skill", "within": 0})),
            call(json!({"within": 2, "step": "x/y"})),
        ]);
        let seen = observed(&trace(Mode::Direct, &calls));
        let names: Vec<_> = seen.iter().map(|it| it.step.as_deref()).collect();
        assert_eq!(names, [None, Some("x/y")]);
        assert_eq!(seen[0].input, json!({"a": 1}).as_object().cloned());
        assert_eq!(seen[1].input, None);
    }

    #[test]
    fn references_of_chains_are_replaced_by_their_values() {
        let input =
            json!({"number": "$look.data.number", "list": ["$0.data.gone"], "body": "$5.00"});
        let calls = json!([
            call(json!({"step": "look", "output": {"number": 7}})),
            call(json!({"input": input})),
        ]);
        let seen = observed(&trace(Mode::Chain, &calls));
        let input = seen[1].input.clone().unwrap();
        assert_eq!(
            (&input["number"], &input["body"]),
            (&json!(7), &json!("$5.00"))
        );
        let links: Vec<_> = seen[1]
            .links
            .iter()
            .map(|it| (it.at.as_str(), it.from))
            .collect();
        assert_eq!(links, [("/number", 0), ("/list/0", 0)]);
        assert!(seen[1].hidden.contains("list"));
        // Code sends texts that look like references unchanged.
        let seen = observed(&trace(Mode::Direct, &calls));
        assert_eq!(seen[1].links, []);
    }

    #[test]
    fn what_was_not_kept_is_not_known() {
        let calls = json!([
            call(
                json!({"input": {"cut": "5000 bytes"}, "output": {"cut": "the trace is long enough"}})
            ),
            call(json!({"input": {"token": "[redacted]", "cut": "of a diamond"}})),
            call(json!({"input": {"cut": "of a diamond"}})),
        ]);
        let seen = observed(&trace(Mode::Single, &calls));
        assert_eq!((&seen[0].input, &seen[0].output), (&None, &None));
        assert_eq!(seen[1].hidden, BTreeSet::from(["token".to_owned()]));
        assert!(seen[2].input.is_some());
    }
}
