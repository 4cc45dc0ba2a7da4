//! A lookup before a write that gives half an answer decides nothing: neither what is written nor
//! that nothing need be.

use capstan_core::{ErrorCode, Route};
use github_sim::world::IssueState;
use github_sim::{Fault, FaultKind, Operation, Sim};
use serde_json::json;

use crate::support::Bench;

#[tokio::test]
async fn labels_that_were_not_told_are_not_taken_for_absent() {
    let lost = FaultKind::PartialError { field: None };
    for (fault, removed) in [
        (Fault::always(lost.clone()), false),
        (Fault::once(lost.clone()), true),
    ] {
        let bench = Bench::demo().await;
        let label = labels(&bench.sim).remove(0);
        bench.sim.inject(fault.on_graphql().on_reads());
        let input = json!({"owner": "acme", "repo": "rocket", "issue_number": 1, "label": label});
        let envelope = bench
            .run_on(Route::Graphql, "issue.labels.remove", &input)
            .await;
        assert_eq!(labels(&bench.sim).contains(&label), !removed);
        match envelope.error {
            None => {
                assert!(removed);
                assert_eq!(envelope.data.unwrap()["changed"], true);
            }
            Some(error) => {
                assert!(!removed, "{error:?}");
                assert_eq!((error.code, error.retryable), (ErrorCode::Server, true));
                assert_eq!(error.details["outcome"], "not_applied");
            }
        }
    }
}

#[tokio::test]
async fn an_unreadable_answer_about_a_closed_issue_closes_nothing() {
    for route in [Route::Rest, Route::Cli] {
        let bench = Bench::demo().await;
        bench.sim.world(|world| {
            let repo = world.find_repo("acme", "rocket").unwrap();
            let issues = &mut world.repo_mut(repo).unwrap().issues;
            issues.get_mut(&1).unwrap().state = IssueState::Closed;
        });
        let lost = FaultKind::PartialError { field: None };
        bench.sim.inject(Fault::always(lost).on_reads());
        let input = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
        let envelope = bench.run_on(route, "issue.close", &input).await;
        let error = envelope.error.unwrap();
        assert_eq!(error.code, ErrorCode::Server, "{route}: {error:?}");
        assert_eq!(error.details["outcome"], "not_applied", "{route}");
        let requests = bench.sim.requests();
        assert!(
            requests
                .iter()
                .all(|seen| seen.operation == Operation::Read),
            "{route}"
        );
    }
}

fn labels(sim: &Sim) -> Vec<String> {
    sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        let repo = world.repo(repo).unwrap();
        let labels = repo.labels_of(repo.issue(1).unwrap());
        labels.map(|label| label.name.clone()).collect()
    })
}
