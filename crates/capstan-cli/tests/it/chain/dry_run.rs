//! A dry run shows the very requests that a run then sends, and sends none itself.

use std::cell::RefCell;

use capstan_core::{ChainRequest, ChainStep, RouteRequest};
use capstan_engine::{ChainPlan, ChunkLimits};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::{Value, json};

use super::bench::Bench;
use super::cards;
use super::steps::{close, codes, comment, create, exactly, label, named, retitle, step, view};
use super::world::{demo_world, open_issues, portrait};

const CASES: u32 = 60;

#[tokio::test]
async fn levels_follow_what_steps_need() {
    let bench = Bench::demo().await;
    let steps = vec![
        named("issue", create("Igniter")),
        step(
            "issue.comments.create",
            json!({"issue_number": "$issue.data.number", "body": "Hello"}),
        ),
        step("issue.close", json!({"issue_number": "$issue.data.number"})),
        view(1),
    ];
    let plan = planned(&bench, &steps).await;
    let levels: Vec<Vec<_>> = plan
        .levels
        .iter()
        .map(|level| {
            level
                .requests
                .iter()
                .map(|it| (it.purpose.as_str(), it.steps.clone()))
                .collect()
        })
        .collect();
    assert_eq!(
        levels,
        [
            vec![("lookup repository", vec![0])],
            vec![("run", vec![0])],
            vec![("lookup issue", vec![1, 2])],
            vec![("run", vec![1, 2])],
            vec![("run", vec![3])],
        ]
    );
    assert_eq!(bench.counts(), (0, 0));
    let ran = bench.run(&steps).await;
    assert_eq!(codes(&ran), ["ok"; 4]);
    assert_eq!(compare(&bench, &plan), Ok(()));
}

#[tokio::test]
async fn other_routes_are_shown_too() {
    let bench = Bench::with_cards(vec![cards::state_over_rest(), cards::readme()]).await;
    let set = |issue: u64| {
        step(
            "state.set",
            json!({"issue_number": issue, "state": "closed"}),
        )
    };
    let steps = vec![
        view(1),
        set(1),
        step("readme.view", json!({})),
        set(2),
        close(3),
    ];
    let plan = planned(&bench, &steps).await;
    assert_eq!(bench.counts(), (0, 0));
    assert_eq!(codes(&bench.run(&steps).await), ["ok"; 5]);
    assert_eq!(compare(&bench, &plan), Ok(()));
}

#[test]
fn what_is_shown_is_what_is_sent() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.unwrap();
    let world = demo_world();
    let bench = RefCell::new(runtime.block_on(Bench::with_cards(vec![cards::remark()])));
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    let picks = prop::collection::vec((0..11_u8, any::<prop::sample::Index>()), 2..14);
    let ran = TestRunner::new(config).run(
        &(picks, limits(), any::<bool>()),
        |(picks, limits, warm)| {
            let mut bench = bench.borrow_mut();
            bench.begin_anew(&world, limits);
            runtime.block_on(check(&bench, &picks, warm))
        },
    );
    if let Err(failure) = ran {
        unreachable!("{failure}");
    }
}

async fn check(
    bench: &Bench,
    picks: &[(u8, prop::sample::Index)],
    warm: bool,
) -> Result<(), TestCaseError> {
    let steps = steps(bench, picks);
    if warm {
        prop_assert!(bench.run_alone(&create("To warm the cache")).await.ok);
    }
    bench.clear();
    let plan = planned(bench, &steps).await;
    prop_assert!(bench.sent.all().is_empty(), "a dry run sends nothing");
    let ran = bench.run(&steps).await;
    let wrong: Vec<_> = ran.results.iter().filter(|it| !it.ok).collect();
    prop_assert!(wrong.is_empty(), "every step can be done: {:#?}", wrong);
    let shown: usize = plan.levels.iter().map(|level| level.requests.len()).sum();
    prop_assert_eq!((shown, shown), (ran.meta.requests, ran.meta.chunks));
    compare(bench, &plan).map_err(TestCaseError::fail)
}

/// Whether the requests that were sent are those of the plan, with its blanks filled in.
fn compare(bench: &Bench, plan: &ChainPlan) -> Result<(), String> {
    let mut sent: Vec<_> = bench.sent.all().into_iter().map(|it| it.request).collect();
    for request in plan.levels.iter().flat_map(|level| &level.requests) {
        let found = sent
            .iter()
            .position(|sent| fills_in(&request.request, sent));
        match found {
            Some(found) => {
                sent.remove(found);
            }
            None => return Err(format!("{request:#?} is not among {sent:#?}")),
        }
    }
    match sent.as_slice() {
        [] => Ok(()),
        more => Err(format!("these were not shown: {more:#?}")),
    }
}

fn fills_in(shown: &RouteRequest, sent: &RouteRequest) -> bool {
    let [shown, sent] = [shown, sent].map(|it| serde_json::to_value(it).unwrap());
    fits(&shown, &sent)
}

/// Whether both are the same but for what a dry run cannot know.
fn fits(shown: &Value, sent: &Value) -> bool {
    match (shown, sent) {
        (Value::String(blank), _) if blank.starts_with("<$") && blank.ends_with('>') => true,
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(name, left)| right.get(name).is_some_and(|it| fits(left, it)))
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(a, b)| fits(a, b))
        }
        _ => shown == sent,
    }
}

async fn planned(bench: &Bench, steps: &[ChainStep]) -> ChainPlan {
    let request = ChainRequest {
        steps: steps.to_vec(),
        ..ChainRequest::default()
    };
    bench.capstan.dry_run_chain(&request).await.unwrap()
}

fn limits() -> impl Strategy<Value = ChunkLimits> {
    (1..9_usize, 1..9_usize).prop_map(|(reads, writes)| ChunkLimits {
        reads,
        writes,
        ..ChunkLimits::default()
    })
}

/// Steps of which each has something to do and can do it: a dry run cannot know better.
fn steps(bench: &Bench, picks: &[(u8, prop::sample::Index)]) -> Vec<ChainStep> {
    let mut open = open_issues(&bench.sim).into_iter();
    let mut steps: Vec<ChainStep> = Vec::new();
    let mut closed = Vec::new();
    for (place, (kind, index)) in picks.iter().enumerate() {
        // Nobody else writes to this one.
        let own = open.next().unwrap();
        let creations: Vec<_> = (0..place)
            .filter(|it| steps[*it].request.capability == "issue.create")
            .collect();
        let from = (!creations.is_empty()).then(|| *index.get(&creations));
        let number = from.map(|from| format!("${from}.data.number"));
        let words = format!("Number {place}");
        steps.push(match (kind, number) {
            (0, _) => view(own),
            (1, _) => view(1),
            (2, _) => step("issue.list", json!({"first": 1 + index.index(20)})),
            (3, _) => step("pr.view", json!({"pr_number": 27})),
            (4, _) => comment(own, &words),
            (5, _) => close(own),
            (6, _) => retitle(own, &words),
            (7, _) => label(own, &[absent_label(bench, own)]),
            (8, Some(number)) => step(
                "issue.comments.create",
                json!({"issue_number": number, "body": words}),
            ),
            // Once: the second would find nothing to do.
            (9, Some(number)) if !closed.contains(&number) => {
                closed.push(number.clone());
                step("issue.close", json!({"issue_number": number}))
            }
            (10, Some(_)) => {
                let id = format!("${}.data.id", from.unwrap());
                exactly("remark.create", &json!({"id": id, "body": words}))
            }
            _ => create(&words),
        });
    }
    steps
}

/// A label that an issue does not have.
fn absent_label(bench: &Bench, issue: u64) -> &'static str {
    let present = portrait(&bench.sim)[&issue].labels.clone();
    let mut labels = ["question", "gnc", "telemetry"].into_iter();
    labels
        .find(|label| !present.iter().any(|it| it == label))
        .unwrap()
}
