//! The failure of a skill's run, as the caller sees it.

use serde_json::json;

use capstan_core::ErrorCode;
use capstan_core::port::{Fact, Failure};
use capstan_skill::{Leaf, Node, OperationClass, Plan};

use super::journal::Journal;
use super::run::NodeState;
use crate::recorder::CallContext;

/// The step that ended the run, and its failure.
#[derive(Debug)]
pub(super) struct FailedStep {
    pub(super) node: usize,
    pub(super) failure: Failure,
}

/// Returns the failure of a whole run: which step failed, what is done, and how the run can be resumed.
pub(super) fn run_failure(
    plan: &Plan,
    states: &[NodeState],
    end: FailedStep,
    journal: Option<&Journal<'_>>,
    context: CallContext<'_>,
) -> Failure {
    let step = plan.nodes[end.node].path.as_str();
    let paths_in = |wanted: NodeState| -> Vec<&str> {
        let leaves = plan.leaves().filter(|(index, ..)| states[*index] == wanted);
        leaves.map(|(_, node, _)| node.path.as_str()).collect()
    };
    let (completed, skipped) = (paths_in(NodeState::Done), paths_in(NodeState::Skipped));
    let mut failure = end.failure;
    let may_succeed_later = may_succeed_later(&failure);
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
        if !completed.is_empty() && may_succeed_later {
            let call = json!({"capability": "run.resume", "input": {"run": run}});
            error = error.or_mend(Some(json!({"tool": "execute", "arguments": call})));
        }
    }
    let mut writes = context.recorder.writes(context.parent);
    // Writes of earlier attempts count, too.
    let before = |(_, node, leaf): &(usize, &Node, &Leaf)| {
        journal.is_some_and(|journal| leaf.writes() && journal.earlier_output(&node.path).is_some())
    };
    writes.done += plan.leaves().filter(before).count();
    failure.error = error;
    // The outcome of the failed step is not that of the whole run.
    failure.remove_outcome_detail();
    let mut failure = Failure {
        // These facts are about one request, not about the whole run.
        too_much: false,
        limits_login: false,
        is_pending: false,
        was_not_seen: false,
        errors: Vec::new(),
        ..writes.add_to(failure)
    };
    if plan.contract.operation == OperationClass::Write {
        failure.write_detail(Fact::Outcome);
    }
    failure
}

/// Returns whether the same run could succeed later without further clarification.
fn may_succeed_later(failure: &Failure) -> bool {
    use ErrorCode::{Auth, Network, RateLimit, Server, Timeout};
    let error = &failure.error;
    let may = matches!(error.code, Auth | Network | RateLimit | Server | Timeout);
    (may || error.retryable) && failure.changed_nothing()
}
