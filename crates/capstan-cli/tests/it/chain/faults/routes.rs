//! What happens on one route or to one step does not take down what has nothing to do with it; what
//! concerns all is asked once.

use std::time::Duration;

use capstan_core::{ChainStep, Route};
use capstan_engine::ChunkLimits;
use github_sim::{Fault, FaultKind};
use serde_json::json;

use super::super::bench::{Bench, Setup};
use super::super::cards;
use super::super::sent::SentRequest;
use super::super::steps::{assert_all_ok, close, codes, comment, reopen, step, view};
use super::super::world::{is_closed, open_issues, portrait};

/// What one repository refuses over REST says nothing about another.
#[tokio::test]
async fn a_step_that_may_not_does_not_speak_for_the_others() {
    let bench = Bench::with_cards(vec![cards::state_over_rest()]).await;
    bench.sim.world(|world| {
        let repo = world.find_repo("acme", "launchpad").unwrap();
        world.repo_mut(repo).unwrap().archived = true;
    });
    let steps = [
        step(
            "state.set",
            json!({"repo": "launchpad", "issue_number": 1, "state": "closed"}),
        ),
        step("state.set", json!({"issue_number": 1, "state": "closed"})),
        step("state.set", json!({"issue_number": 2, "state": "closed"})),
    ];
    let ran = bench.run(&steps).await;
    assert_eq!(codes(&ran), ["AUTH", "ok", "ok"]);
    assert!(is_closed(&bench.sim, 1) && is_closed(&bench.sim, 2));
}

/// The same over GraphQL, where the others travel along.
#[tokio::test]
async fn a_repository_that_is_archived_refuses_its_own_writes() {
    let bench = Bench::demo().await;
    bench.sim.world(|world| {
        let repo = world.find_repo("acme", "launchpad").unwrap();
        world.repo_mut(repo).unwrap().archived = true;
    });
    let refused = step(
        "issue.close",
        json!({"repo": "launchpad", "issue_number": 1}),
    );
    let ran = bench.run(&[close(1), refused, close(2)]).await;
    assert_eq!(codes(&ran), ["ok", "AUTH", "ok"]);
    assert_eq!(bench.counts(), (1, 1));
}

/// A token that GitHub does not know is not shown to it fifty times.
#[tokio::test]
async fn a_token_that_is_refused_is_not_tried_again() {
    let limits = ChunkLimits {
        reads: 1,
        writes: 1,
        ..ChunkLimits::default()
    };
    let mut setup = Setup::default();
    setup.settings.chunks = limits;
    setup.settings.routes = vec![Route::Graphql];
    let bench = Bench::set_up(setup).await;
    bench.sim.inject(Fault::always(FaultKind::Status401));
    let mut steps: Vec<_> = open_issues(&bench.sim)[..10]
        .iter()
        .map(|it| view(*it))
        .collect();
    steps.extend([close(1), comment(2, "x")]);
    let ran = bench.run(&steps).await;
    assert_eq!(codes(&ran), vec!["AUTH"; 12]);
    // As many as were under way when the first answer came.
    assert!(bench.sim.requests().len() <= 4, "{:?}", bench.counts());
}

/// Where there is no GraphQL at all, REST does the same, in the same order.
#[tokio::test]
async fn without_graphql_everything_goes_over_rest() {
    let mut setup = Setup {
        graphql_path: "/nothing/here",
        ..Setup::default()
    };
    setup.settings.run_timeout = Duration::from_secs(300);
    let bench = Bench::set_up(setup).await;
    let mut steps: Vec<_> = open_issues(&bench.sim)[..20]
        .iter()
        .map(|it| view(*it))
        .collect();
    steps.extend([
        close(1),
        reopen(1),
        close(1),
        comment(2, "x"),
        close(4),
        reopen(4),
    ]);
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    assert_eq!(ran.meta.route_used, Some(Route::Rest));
    assert!(is_closed(&bench.sim, 1) && !is_closed(&bench.sim, 4));
    let sent = bench.sent.all();
    let writes: Vec<_> = sent
        .iter()
        .filter(|it| it.is_write() && is_rest(it))
        .collect();
    assert_eq!(writes.len(), 5, "to close what is closed is not sent");
    for pair in writes.windows(2) {
        assert!(!pair[0].overlaps(pair[1]), "{pair:?}");
    }
    let reads: Vec<_> = sent
        .iter()
        .filter(|it| !it.is_write() && is_rest(it))
        .collect();
    let at_once = |one: &&SentRequest| reads.iter().filter(|it| one.overlaps(it)).count();
    assert!(sent.len() > 20 && reads.iter().map(at_once).max().unwrap_or(0) > 1);
    for read in &reads {
        let with = reads
            .iter()
            .filter(|it| it.was_under_way_at_start_of(read))
            .count();
        assert!(with <= 8, "{with} at once");
    }
}

/// When GraphQL fails for all, reads take another way, if they have one.
#[tokio::test]
async fn reads_take_another_way() {
    let bench = Bench::with_cards(vec![cards::me()]).await;
    bench
        .sim
        .inject(Fault::always(FaultKind::Status503).on_graphql());
    let steps = [
        view(1),
        super::super::steps::exactly("me.view", &json!({})),
        view(2),
    ];
    let ran = bench.run(&steps).await;
    assert_eq!(codes(&ran), ["ok", "SERVER", "ok"]);
    for viewed in [0, 2] {
        let used = ran.results[viewed].meta.route_used.or(ran.meta.route_used);
        assert_eq!(used, Some(Route::Rest));
    }
}

/// A pause that GitHub asks for is one for all requests.
#[tokio::test]
async fn a_pause_is_a_pause_for_all() {
    for kind in [
        FaultKind::Status403Secondary {
            retry_after: Some(7),
        },
        FaultKind::Status429 {
            retry_after: Some(7),
        },
        FaultKind::PrimaryLimit { reset_in: 7 },
    ] {
        let limits = ChunkLimits {
            reads: 2,
            writes: 2,
            ..ChunkLimits::default()
        };
        let bench = Bench::with_limits(limits).await;
        bench.sim.inject(Fault::once(kind.clone()));
        let issues = open_issues(&bench.sim);
        let mut steps: Vec<ChainStep> = issues[..16].iter().map(|it| view(*it)).collect();
        steps.extend((0..5).map(|index| comment(1, &format!("Remark {index}"))));
        let ran = bench.run(&steps).await;
        assert_all_ok(&ran);
        let remarks = &portrait(&bench.sim)[&1].comments;
        let remarks: Vec<_> = remarks
            .iter()
            .filter(|it| it.starts_with("Remark"))
            .collect();
        assert_eq!(
            remarks,
            ["Remark 0", "Remark 1", "Remark 2", "Remark 3", "Remark 4"]
        );
        // What had left before the answer came had left; the others wait for as long as was asked,
        // less a second that both sides may have counted in part.
        let sent = bench.sent.all();
        let first = sent[0].clone();
        let (before, after): (Vec<_>, Vec<_>) =
            sent[1..].iter().partition(|it| it.overlaps(&first));
        assert!(before.len() < 4, "{kind:?}: {} at once", before.len() + 1);
        for request in after {
            let waited = request.at - first.at;
            assert!(
                waited >= Duration::from_secs(6),
                "{kind:?}: sent after {waited:?}"
            );
        }
    }
}

/// What is under way is waited for in peace, also when there is no time left to go on after the pause.
#[tokio::test]
async fn a_pause_beyond_the_end_keeps_nobody_busy() {
    let mut setup = Setup::graphql_only(Vec::new());
    setup.settings.chunks.reads = 1;
    setup.settings.run_timeout = Duration::from_secs(1);
    let bench = Bench::set_up(setup).await;
    assert!(bench.run_alone(&view(3)).await.ok);
    let limit = FaultKind::PrimaryLimit { reset_in: 6 };
    bench.sim.inject(Fault::once(limit));
    let slow = FaultKind::Latency { ms: 100 };
    bench.sim.inject(Fault::once(slow).after(1));
    let ran = bench.run(&[view(1), view(2)]).await;
    assert_eq!(codes(&ran), ["RATE_LIMIT", "ok"]);
    let sleeps = bench.clock.sleeps().len();
    assert!(sleeps < 10, "it woke up {sleeps} times");
}

fn is_rest(sent: &SentRequest) -> bool {
    sent.request.route() == Route::Rest
}
