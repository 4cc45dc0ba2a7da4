//! Chains: one block a step.

use capstan_core::card::Card;
use capstan_core::{ChainStepMeta, ErrorCode, Timings};
use capstan_view::{ViewContext, view_chain};
use insta::assert_snapshot;
use serde_json::{Map, Value, json};

use crate::samples::{
    chain_of, error, issue_list, issue_rows, issues_input, map, page, read, step, write,
};

fn context<'a>(steps: &'a [(Card, Map<String, Value>)]) -> Vec<ViewContext<'a>> {
    let steps = steps.iter().map(|(card, input)| ViewContext {
        card: Some(card),
        input,
        fields: None,
        sort: None,
        feeds_each: false,
    });
    steps.collect()
}

#[test]
fn eight_steps_are_eight_blocks() {
    let steps = [
        (issue_list(), issues_input()),
        (read("repo.view"), Map::new()),
        (write("issue.create"), map(json!({"title": "Leak"}))),
        (write("issue.close"), map(json!({"issue_number": 45}))),
        (write("issue.labels.add"), map(json!({"issue_number": 47}))),
        (write("issue.comments.create"), Map::new()),
        (read("issue.view"), Map::new()),
        (issue_list(), issues_input()),
    ];
    let url = "https://github.com/acme/rocket/issues/50";
    let mut bugs = step(Some("bugs"), Ok(json!({"issues": issue_rows()})));
    bugs.meta = ChainStepMeta {
        pagination: Some(page(29, Some("Y3Vyc29yOnYyOjE="))),
        ..ChainStepMeta::default()
    };
    let results = vec![
        bugs,
        step(
            None,
            Ok(json!({"full_name": "acme/rocket", "archived": false, "topics": []})),
        ),
        step(
            Some("new"),
            Ok(json!({"id": "I_1", "number": 50, "url": url})),
        ),
        step(
            None,
            Ok(
                json!({"id": "I_2", "number": 45, "title": "T", "state": "closed", "state_reason": "completed", "url": url, "changed": true}),
            ),
        ),
        step(
            None,
            Ok(json!({"number": 47, "labels": ["documentation"], "url": url, "changed": false})),
        ),
        step(
            None,
            Err(error(
                ErrorCode::Cancelled,
                "skipped: depends on step 3",
                json!({"step": 3}),
            )),
        ),
        step(
            None,
            Ok(json!({"number": 47, "state": "open", "body": "See\n[3] #45 open\n[see] this"})),
        ),
        step(None, Ok(json!({"issues": []}))),
    ];
    assert_snapshot!(view_chain(&chain_of(results), &context(&steps)));
}

#[test]
fn of_a_refused_chain_only_what_is_wrong_is_told() {
    let held = || {
        let message = "not run: step 1 failed validation";
        step(
            None,
            Err(error(ErrorCode::Validation, message, json!({"step": 1}))),
        )
    };
    let wrong = |name, code, message, details| step(name, Err(error(code, message, details)));
    let results = vec![
        held(),
        wrong(
            None,
            ErrorCode::Validation,
            "bad input for issue.view: `issue_number` is missing: expected integer",
            json!({"fields": [], "correction": "issue view 45"}),
        ),
        held(),
        held(),
        wrong(
            Some("shut"),
            ErrorCode::NotFound,
            "there is no capability `issue.clse`",
            json!({"near": ["issue.close"]}),
        ),
    ];
    assert_snapshot!(view_chain(&chain_of(results), &[]), @"
    nothing was run
    [1] bad input for issue.view: `issue_number` is missing: expected integer
    Right: issue view 45
    [4 shut] there is no capability `issue.clse`
    Near: issue.close
    ");
}

#[test]
fn steps_that_are_marked_as_not_run_are_not_told() {
    let results = vec![
        step(
            None,
            Err(error(
                ErrorCode::Validation,
                "held back",
                json!({"not_run": true}),
            )),
        ),
        step(
            None,
            Err(error(
                ErrorCode::Policy,
                "writes are not allowed here",
                json!({}),
            )),
        ),
    ];
    let text = view_chain(&chain_of(results), &[]);
    assert_eq!(text, "nothing was run\n[1] writes are not allowed here");
}

/// A chain whose steps all failed was run all the same.
#[test]
fn a_chain_that_failed_was_not_refused() {
    let results = vec![
        step(
            None,
            Err(error(
                ErrorCode::Network,
                "reset",
                json!({"outcome": "unknown"}),
            )),
        ),
        step(
            None,
            Err(error(
                ErrorCode::Cancelled,
                "not sent: the outcome of step 0 is unknown",
                json!({"step": 0}),
            )),
        ),
    ];
    assert_snapshot!(view_chain(&chain_of(results), &[]), @"
    [0] NETWORK: reset
    it may have happened: look before you repeat it
    [1] CANCELLED: not sent: the outcome of step 0 is unknown
    ");
}

#[test]
fn what_is_of_no_single_step_comes_first() {
    let mut envelope = chain_of(vec![step(Some("a]b"), Ok(json!({"number": 1})))]);
    envelope
        .meta
        .warnings
        .push("`a` came to contain itself".to_owned());
    envelope.meta.timings = Some(Timings {
        total_ms: 9,
        adapter_ms: 7,
    });
    assert_snapshot!(view_chain(&envelope, &[]), @"
    warning: `a` came to contain itself
    took 9 ms, 7 ms of it waiting
    [0 a)b] number: 1
    ");
}
