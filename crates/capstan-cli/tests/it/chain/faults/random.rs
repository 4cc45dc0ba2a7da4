//! Random chains while random things go wrong: whatever happens, nothing is done twice, nothing is
//! claimed that is not so, and writes happen in their order.

use std::cell::RefCell;

use capstan_core::{ChainResultEnvelope, ChainStep, RouteRequest};
use capstan_engine::ChunkLimits;
use github_sim::{Cut, Fault, FaultKind, SeenRequest, Sim};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::json;

use super::super::bench::Bench;
use super::super::sent::SentRequest;
use super::super::steps::{close, codes, comment, create, outcome, retitle, step, view};
use super::super::world::{demo_world, node_id, open_issues};

const CASES: u32 = 80;

/// A step, as it is picked: all that it says is its own, so that its deed can be told from others'.
#[derive(Clone, Copy, Debug)]
enum Pick {
    View,
    Comment,
    Retitle,
    Close,
    Create,
    /// A comment on what an earlier step has made, if one has.
    Remark,
}

#[test]
fn nothing_is_done_twice_and_nothing_is_claimed_that_is_not_so() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.unwrap();
    let world = demo_world();
    let bench = RefCell::new(runtime.block_on(Bench::demo()));
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    let chains = (
        prop::collection::vec(pick(), 2..9),
        prop::collection::vec(fault(), 1..4),
        limits(),
    );
    let ran = TestRunner::new(config).run(&chains, |(picks, faults, limits)| {
        let mut bench = bench.borrow_mut();
        bench.begin_anew(&world, limits);
        let steps = steps(&bench.sim, &picks);
        faults.into_iter().for_each(|fault| bench.sim.inject(fault));
        let ran = runtime.block_on(bench.run(&steps));
        check(&bench, &steps, &ran)
    });
    if let Err(failure) = ran {
        unreachable!("{failure}");
    }
}

fn check(
    bench: &Bench,
    steps: &[ChainStep],
    ran: &ChainResultEnvelope,
) -> Result<(), TestCaseError> {
    let sent: Vec<_> = bench
        .sent
        .all()
        .into_iter()
        .filter(SentRequest::is_write)
        .collect();
    let seen = bench.writes();
    prop_assert_eq!(sent.len(), seen.len(), "every write arrived");
    prop_assert_eq!(
        ran.meta.requests,
        bench.sent.all().len(),
        "requests are counted"
    );
    let mut order = Vec::new();
    for (index, result) in ran.results.iter().enumerate() {
        let said = format!("step {index} of {:?}: {result:?}", codes(ran));
        prop_assert!(!said.contains("never finished"), "{}", said);
        if steps[index].request.capability == "issue.view" {
            continue;
        }
        let carried: Vec<usize> = (0..sent.len())
            .filter(|it| carries(&sent[*it], &steps[index], &bench.sim))
            .collect();
        let done: Vec<_> = carried
            .iter()
            .filter(|it| applied(&seen[**it], steps, index))
            .collect();
        prop_assert!(done.len() <= 1, "done {} times: {}", done.len(), said);
        order.extend(done.first().map(|it| (**it, index)));
        match (result.ok, outcome(result)) {
            (true, _) => prop_assert_eq!(done.len(), 1, "ok, and not done: {}", said),
            (_, "applied") => prop_assert_eq!(done.len(), 1, "applied, and not done: {}", said),
            (_, "not_applied") => prop_assert_eq!(done.len(), 0, "not applied, and done: {}", said),
            (_, other) => prop_assert_eq!(other, "unknown", "{}", said),
        }
        if let ("unknown", Some(last)) = (outcome(result), carried.last()) {
            prop_assert_eq!(
                seen.len() - 1,
                *last,
                "something was written after {}",
                said
            );
        }
        if let (Some(done), Some(last)) = (done.first(), carried.last()) {
            prop_assert_eq!(*done, last, "sent again after it was done: {}", said);
        }
    }
    let mut by_request = order.clone();
    by_request.sort_unstable();
    prop_assert_eq!(
        by_request,
        order,
        "writes happen in their order: {:?}",
        codes(ran)
    );
    Ok(())
}

/// Whether a request has this step's write in it.
fn carries(sent: &SentRequest, step: &ChainStep, sim: &Sim) -> bool {
    let input = &step.request.input;
    let text = input.get("body").or_else(|| input.get("title"));
    if let Some(text) = text {
        return sent.mentions(text.as_str().unwrap());
    }
    let issue = input["issue_number"].as_u64().unwrap();
    match &sent.request {
        RouteRequest::Rest(request) => {
            request.path.ends_with(&format!("/issues/{issue}")) && sent.mentions("closed")
        }
        _ => sent.mentions(&node_id(sim, issue)),
    }
}

fn applied(seen: &SeenRequest, steps: &[ChainStep], index: usize) -> bool {
    if seen.root_fields.len() < 2 {
        return seen.applied;
    }
    let task = steps[index].request.capability.replace('.', "_");
    seen.applied_fields.contains(&format!("{task}_{index}"))
}

fn steps(sim: &Sim, picks: &[Pick]) -> Vec<ChainStep> {
    let mut open = open_issues(sim).into_iter();
    let mut steps: Vec<ChainStep> = Vec::new();
    for (place, pick) in picks.iter().enumerate() {
        let words = format!("Words of number {place}.");
        let made = steps
            .iter()
            .rposition(|it| it.request.capability == "issue.create");
        // Nobody else writes to this one.
        let own = open.next().unwrap();
        steps.push(match (pick, made) {
            (Pick::View, _) => view(own),
            (Pick::Comment, _) => comment(own, &words),
            (Pick::Retitle, _) => retitle(own, &words),
            (Pick::Close, _) => close(own),
            (Pick::Remark, Some(made)) => step(
                "issue.comments.create",
                json!({"issue_number": format!("${made}.data.number"), "body": words}),
            ),
            (Pick::Create | Pick::Remark, _) => create(&words),
        });
    }
    steps
}

fn pick() -> impl Strategy<Value = Pick> {
    use Pick::{Close, Comment, Create, Remark, Retitle, View};
    prop::sample::select(vec![View, Comment, Retitle, Close, Create, Remark])
}

fn limits() -> impl Strategy<Value = ChunkLimits> {
    (1..5_usize, 1..5_usize).prop_map(|(reads, writes)| ChunkLimits {
        reads,
        writes,
        ..ChunkLimits::default()
    })
}

fn fault() -> impl Strategy<Value = Fault> {
    let times = prop::option::weighted(0.8, 1..4_u32);
    let whom = prop::sample::select(vec!["any", "reads", "writes", "graphql"]);
    (kind(), whom, 0..4_u32, times, any::<bool>()).prop_map(
        |(kind, whom, after, times, applied)| {
            let mut fault = Fault {
                times,
                applied,
                ..Fault::once(kind).after(after)
            };
            // What GitHub refuses for certain it does not do.
            fault.applied &= matches!(
                fault.kind,
                FaultKind::Status500
                    | FaultKind::Status502Html
                    | FaultKind::Status503
                    | FaultKind::RootFailure { .. }
            );
            match whom {
                "reads" => fault.on_reads(),
                "writes" => fault.on_writes(),
                "graphql" => fault.on_graphql(),
                _ => fault,
            }
        },
    )
}

fn kind() -> impl Strategy<Value = FaultKind> {
    let task = prop::sample::select(vec![
        "issue_view",
        "issue_comments_create",
        "issue_update",
        "issue_create",
    ]);
    let kind = prop::sample::select(vec![
        "FORBIDDEN",
        "RATE_LIMITED",
        "SERVICE_UNAVAILABLE",
        "NOT_FOUND",
    ]);
    (0..20_u8, task, kind, 0..8_usize, 0..3_usize).prop_map(
        |(which, task, error_type, place, writes)| {
            let retry_after = Some(2);
            let alias = format!("{task}_{place}");
            match which {
                0 => FaultKind::ResetBefore,
                1 => FaultKind::ResetAfter,
                2 => FaultKind::Status500,
                3 => FaultKind::Status502Html,
                4 => FaultKind::Status503,
                5 => FaultKind::Status401,
                6 => FaultKind::Status403Scope,
                7 => FaultKind::Status429 { retry_after },
                8 => FaultKind::Status403Secondary { retry_after },
                9 => FaultKind::PrimaryLimit { reset_in: 2 },
                10 => FaultKind::Truncated,
                11 => FaultKind::NotJson,
                12 => FaultKind::PartialError { field: None },
                13 => FaultKind::TooMany { fields: writes + 1 },
                14 => FaultKind::RootFailure { name: alias },
                15 => FaultKind::CutAfterWrites {
                    writes,
                    then: Cut::Reset,
                },
                16 => FaultKind::CutAfterWrites {
                    writes,
                    then: Cut::Status502,
                },
                _ => FaultKind::GraphqlError {
                    error_type: error_type.to_owned(),
                    message: "so it is".to_owned(),
                    path: (which > 17).then(|| vec![alias.into()]),
                },
            }
        },
    )
}
