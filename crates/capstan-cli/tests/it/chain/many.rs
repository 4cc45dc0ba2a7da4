//! Chains of hundreds of steps: cut into requests, in order, with progress told along the way.

use std::sync::Mutex;

use capstan_core::{ChainRequest, ChainStatus, ChainStep};
use capstan_engine::{ChunkLimits, Progress};
use github_sim::{Fault, FaultKind};
use serde_json::json;

use super::bench::{Bench, Setup};
use super::cards;
use super::steps::{assert_all_ok, codes, comment, exactly, message, retitle, view};
use super::world::{node_id, open_issues, portrait};

#[tokio::test]
async fn five_hundred_steps_are_cut_into_requests_that_keep_their_order() {
    let bench = Bench::demo().await;
    let issues = open_issues(&bench.sim);
    // 250 comments over five issues, and 250 reads that are all different from each other.
    let steps: Vec<ChainStep> = (0..250)
        .flat_map(|index| {
            let mut look = view(issues[index % issues.len()]);
            look.request
                .input
                .insert("repo".to_owned(), "rocket".into());
            [comment(issues[index % 5], &format!("Remark {index}")), look]
        })
        .collect();
    let told = Mutex::new(Vec::new());
    let request = ChainRequest {
        steps,
        ..ChainRequest::default()
    };
    let watch = |progress: Progress| told.lock().unwrap().push(progress);
    let ran = bench.capstan.execute_tasks_watched(&request, &watch).await;
    assert_all_ok(&ran);

    // All lookups fit into one request, and so do all reads, after the writes; 25 comments fit into a request.
    assert_eq!(bench.counts(), (2, 10));
    assert_eq!((ran.meta.requests, ran.meta.chunks), (12, 12));
    for (place, issue) in issues.iter().take(5).enumerate() {
        let remarks = portrait(&bench.sim)[issue].comments.clone();
        let remarks: Vec<_> = remarks
            .into_iter()
            .filter(|it| it.starts_with("Remark"))
            .collect();
        let expected: Vec<_> = (place..250)
            .step_by(5)
            .map(|index| format!("Remark {index}"))
            .collect();
        assert_eq!(remarks, expected, "{issue}");
    }

    let told = told.into_inner().unwrap();
    assert!(told.iter().all(|it| it.total == 500));
    assert!(
        told.windows(2)
            .all(|two| two[0].finished <= two[1].finished),
        "{told:?}"
    );
    assert_eq!(told.last().unwrap().finished, 500);
    let mut heights: Vec<_> = told.iter().map(|it| it.finished).collect();
    heights.dedup();
    assert!(
        heights.len() > 10,
        "it is told after every request: {heights:?}"
    );
}

#[tokio::test]
async fn chunks_are_as_large_as_the_limits_say() {
    let limits = ChunkLimits {
        reads: 7,
        writes: 3,
        ..ChunkLimits::default()
    };
    let bench = Bench::with_limits(limits).await;
    let issues = open_issues(&bench.sim);
    let reads: Vec<_> = issues[..20].iter().map(|issue| view(*issue)).collect();
    let ran = bench.run(&reads).await;
    assert_all_ok(&ran);
    assert_eq!(bench.counts(), (3, 0));
    assert_eq!((ran.meta.requests, ran.meta.chunks), (3, 3));
    let mut sizes: Vec<_> = bench
        .sim
        .requests()
        .iter()
        .map(|it| it.root_fields.len())
        .collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [6, 7, 7]);

    bench.clear();
    let writes: Vec<_> = (0..8)
        .map(|index| retitle(1, &format!("Title {index}")))
        .collect();
    let ran = bench.run(&writes).await;
    assert_all_ok(&ran);
    assert_eq!(bench.counts(), (1, 3));
    assert_eq!((ran.meta.requests, ran.meta.chunks), (4, 4));
    let sizes: Vec<_> = bench
        .writes()
        .iter()
        .map(|it| it.root_fields.len())
        .collect();
    assert_eq!(sizes, [3, 3, 2]);
    assert_eq!(portrait(&bench.sim)[&1].title, "Title 7");
}

/// Not even when answers to reads come in between, of which each could set off another write.
#[tokio::test]
async fn no_two_requests_with_writes_are_under_way_at_once() {
    let mut setup = Setup {
        cards: vec![cards::remark()],
        ..Setup::default()
    };
    setup.settings.chunks = ChunkLimits {
        reads: 1,
        writes: 1,
        ..ChunkLimits::default()
    };
    let bench = Bench::set_up(setup).await;
    let slow = FaultKind::Latency { ms: 50 };
    bench.sim.inject(Fault::always(slow).on_writes());
    let id = node_id(&bench.sim, 1);
    let remark = |it: u64| {
        let body = format!("Remark {it}");
        exactly("remark.create", &json!({"id": id, "body": body}))
    };
    // Reads before the first write leave beside it.
    let steps: Vec<_> = (1..7).map(view).chain((1..7).map(remark)).collect();
    assert_all_ok(&bench.run(&steps).await);
    let sent = bench.sent.all();
    let (writes, reads): (Vec<_>, Vec<_>) = sent.iter().partition(|it| it.is_write());
    assert_eq!((writes.len(), reads.len()), (6, 6));
    assert!(reads.iter().any(|it| it.overlaps(writes[0])));
    for pair in writes.windows(2) {
        assert!(!pair[0].overlaps(pair[1]), "{pair:?}");
    }
}

#[tokio::test]
async fn a_thousand_steps_run_and_one_more_is_refused() {
    let bench = Bench::demo().await;
    let issues = open_issues(&bench.sim);
    let mut steps: Vec<_> = (0..1000)
        .map(|index| view(issues[index % issues.len()]))
        .collect();
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    assert_eq!(
        (ran.results.len(), ran.status),
        (1000, ChainStatus::Success)
    );
    assert_eq!(bench.counts(), (1, 0), "what is asked twice is sent once");

    bench.clear();
    steps.push(view(1));
    let ran = bench.run(&steps).await;
    assert_eq!((ran.results.len(), ran.status), (1001, ChainStatus::Failed));
    assert_eq!(bench.counts(), (0, 0));
    assert!(codes(&ran).iter().all(|code| code == "VALIDATION"));
    let told = message(&ran.results[0]);
    assert!(told.contains("1001") && told.contains("1000"), "{told}");
}

#[tokio::test]
async fn a_chain_of_nothing_is_no_success() {
    let bench = Bench::demo().await;
    let ran = bench.run(&[]).await;
    assert!(ran.results.is_empty());
    assert_ne!(ran.status, ChainStatus::Success);
    assert_eq!(bench.counts(), (0, 0));
}
