//! What the exit code of a chain says: 0 success, 1 failed, 2 rejected, 3 partial, 4 not allowed.

use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use super::steps::{failed, partial, rejected, step, success, view};
use crate::cli::harness::{Github, Place};

#[track_caller]
fn check(place: &Place, steps: &Value, args: &[&str], code: i32, status: &str) {
    let args = [&["chain", "-"], args].concat();
    let ran = place.run_with(&args, steps.to_string().as_bytes());
    assert_eq!(ran.code, code, "{steps}: {ran:?}");
    assert_eq!(ran.json()["status"], status, "{steps}");
    place.write("steps.json", steps.to_string());
    let terminal = [&["chain", "steps.json"], &args[2..]].concat();
    // What was done is not done again, so only a failure is the same twice.
    if code != 0 && code != 3 {
        assert_eq!(place.raw_terminal(&terminal).0, code, "{steps}");
    }
}

#[test]
fn success_failure_and_something_between() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    check(&place, &success(), &[], 0, "success");
    check(&place, &partial(), &[], 3, "partial");
    check(&place, &failed(), &[], 1, "failed");
    let over = json!([
        view(4242),
        step("issue.close", json!({"issue_number": "$0.data.number"}))
    ]);
    check(&place, &over, &[], 1, "failed");
}

#[test]
fn a_chain_that_is_rejected_is_wrong_usage() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let bad_input = step("issue.view", json!({"issue_number": "one"}));
    let unknown = step("issue.veiw", json!({}));
    let no_graphql = step("workflow.runs.list", json!({}));
    for steps in [
        rejected(),
        json!([bad_input]),
        json!([unknown]),
        json!([bad_input, unknown]),
        json!([view(1), unknown]),
        json!([view(1), bad_input]),
    ] {
        check(&place, &steps, &[], 2, "failed");
    }
    for steps in [json!([no_graphql]), json!([no_graphql, view(1)])] {
        check(&place, &steps, &["--route", "graphql"], 2, "failed");
    }
    assert_eq!(github.sim.requests(), []);
}

#[test]
fn four_is_when_nobody_may_do_any_of_it() {
    let two = json!([view(1), view(2)]);
    check(&Place::new(), &two, &[], 4, "failed");
    let github = Github::demo();
    let place = Place::new().online(&github);
    for fault in [FaultKind::Status401, FaultKind::Status403Scope] {
        github.sim.clear_faults();
        github.sim.inject(Fault::always(fault));
        check(&place, &two, &[], 4, "failed");
        let dependent = json!([
            view(1),
            step("issue.close", json!({"issue_number": "$0.data.number"}))
        ]);
        check(&place, &dependent, &[], 4, "failed");
    }
}

#[test]
fn a_plan_has_the_code_of_what_it_finds() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let dry = |steps: &Value, args: &[&str]| {
        let args = [&["chain", "-", "--dry-run"], args].concat();
        place.run_with(&args, steps.to_string().as_bytes()).code
    };
    assert_eq!(dry(&success(), &[]), 0);
    assert_eq!(dry(&rejected(), &[]), 2);
    assert_eq!(dry(&json!([step("issue.veiw", json!({}))]), &[]), 2);
    assert_eq!(github.sim.requests(), []);
}
