//! What the caller is told when a skill fails.

use serde_json::json;

use capstan_core::ErrorCode;
use capstan_core::port::{Fact, Failure};
use capstan_skill::{Leaf, Node, OperationClass, Plan};

use super::journal::Journal;
use super::run::NodeState;
use crate::recorder::CallContext;

/// The step that ended the run, and why.
#[derive(Debug)]
pub(super) struct FailedStep {
    pub(super) node: usize,
    pub(super) failure: Failure,
}

pub(super) fn failed(
    plan: &Plan,
    states: &[NodeState],
    end: FailedStep,
    journal: Option<&Journal<'_>>,
    within: CallContext<'_>,
) -> Failure {
    let step = plan.nodes[end.node].path.as_str();
    let of = |wanted: NodeState| -> Vec<&str> {
        let leaves = plan.leaves().filter(|(index, ..)| states[*index] == wanted);
        leaves.map(|(_, node, _)| node.path.as_str()).collect()
    };
    let (completed, skipped) = (of(NodeState::Done), of(NodeState::Skipped));
    let mut failure = end.failure;
    let can_pass = can_pass(&failure);
    let mut error = failure.error;
    if !plan.is_atomic() {
        error.message = format!("step `{step}`: {}", error.message);
        error = error
            .with_detail("step", step)
            .with_detail("completed", json!(completed));
        let written: Vec<_> = plan
            .leaves()
            .filter(|(index, _, leaf)| states[*index] == NodeState::Done && leaf.writes())
            .map(|(_, node, _)| node.path.as_str())
            .collect();
        if !written.is_empty() {
            error = error.with_detail("written", json!(written));
        }
        if !skipped.is_empty() {
            error = error.with_detail("skipped", json!(skipped));
        }
    }
    if let Some(run) = journal.and_then(Journal::run) {
        let run = run.as_str();
        error = error.with_detail("run", run);
        if !completed.is_empty() && can_pass {
            let call = json!({"capability": "run.resume", "input": {"run": run}});
            error = error.or_mend(Some(json!({"tool": "execute", "arguments": call})));
        }
    }
    let mut writes = within.recorder.writes(within.call);
    // What was done before the run was resumed is done, too.
    let before = |(_, node, leaf): &(usize, &Node, &Leaf)| {
        journal.is_some_and(|journal| leaf.writes() && journal.known(&node.path).is_some())
    };
    writes.done += plan.leaves().filter(before).count();
    failure.error = error;
    // That of the step that ended it is not that of the whole.
    failure.untell_outcome();
    let mut failure = Failure {
        // What one request of it was too much for says nothing about the whole.
        too_much: false,
        limits_host: false,
        was_not_seen: false,
        errors: Vec::new(),
        ..writes.added_to(failure)
    };
    if plan.contract.operation == OperationClass::Write {
        failure.tell(Fact::Outcome);
    }
    failure
}

/// Whether the same could end well another time, with nothing to be found out before.
fn can_pass(failure: &Failure) -> bool {
    use ErrorCode::{Auth, Network, RateLimit, Server, Timeout};
    let error = &failure.error;
    let may = matches!(error.code, Auth | Network | RateLimit | Server | Timeout);
    (may || error.retryable) && failure.changed_nothing()
}
