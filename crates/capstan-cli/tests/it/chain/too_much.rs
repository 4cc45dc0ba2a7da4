//! Requests that are too much: most are never made, and reads that GitHub gives up on are halved.

use std::time::Duration;

use capstan_engine::ChunkLimits;
use github_sim::{Fault, FaultKind};
use serde_json::json;

use super::bench::{Bench, Setup};
use super::cards;
use super::steps::{assert_all_ok, codes, comment, message, outcome, retitle, step, view};
use super::world::{open_issues, portrait};

#[tokio::test]
async fn what_is_too_much_at_once_is_halved() {
    let bench = Bench::set_up(Setup::graphql_only(Vec::new())).await;
    bench
        .sim
        .inject(Fault::always(FaultKind::TooMany { fields: 5 }));
    let steps: Vec<_> = open_issues(&bench.sim)[..20]
        .iter()
        .map(|it| view(*it))
        .collect();
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    let seen = bench.sim.requests();
    let answered = seen.iter().filter(|it| it.status == Some(200));
    assert!(answered.clone().all(|it| it.root_fields.len() <= 5));
    assert_eq!(
        answered.map(|it| it.root_fields.len()).sum::<usize>(),
        20,
        "each once"
    );
    // Twenty, twice ten, four times five.
    assert_eq!(seen.len(), 7);
    assert_eq!((ran.meta.requests, ran.meta.chunks), (7, 1));
}

/// GitHub names the fields at which it ran out of resources: that they were asked for together is
/// what is wrong, not they.
#[tokio::test]
async fn a_limit_of_resources_with_a_place_is_a_limit_of_the_batch() {
    let bench = Bench::set_up(Setup::graphql_only(Vec::new())).await;
    for alias in ["issue_view_3", "issue_view_4", "issue_view_5"] {
        bench.sim.inject(Fault::once(FaultKind::GraphqlError {
            error_type: "RESOURCE_LIMITS_EXCEEDED".to_owned(),
            message: "Resource limits for this query exceeded.".to_owned(),
            path: Some(vec![json!(alias)]),
        }));
    }
    let steps: Vec<_> = open_issues(&bench.sim)[..6]
        .iter()
        .map(|it| view(*it))
        .collect();
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    let sizes: Vec<_> = bench
        .sim
        .requests()
        .iter()
        .map(|it| it.root_fields.len())
        .collect();
    assert_eq!(sizes, [6, 3], "only those without an answer travel again");
}

/// What is too much even by itself is not asked for without end.
#[tokio::test]
async fn a_limit_of_resources_that_one_step_hits_alone_ends() {
    let bench = Bench::set_up(Setup::graphql_only(Vec::new())).await;
    bench.sim.inject(Fault::always(FaultKind::GraphqlError {
        error_type: "RESOURCE_LIMITS_EXCEEDED".to_owned(),
        message: "Resource limits for this query exceeded.".to_owned(),
        path: Some(vec![json!("repository")]),
    }));
    let ran = bench.run(&[view(1)]).await;
    assert_eq!(
        codes(&ran),
        ["VALIDATION"],
        "{:?}",
        message(&ran.results[0])
    );
    assert_eq!(bench.counts(), (1, 0));
    // `explain` would not help: the input is right.
    let error = serde_json::to_value(&ran.results[0]).unwrap()["error"].clone();
    let said = error["message"].as_str().unwrap();
    assert!(said.contains("asks for fewer fields"), "{said}");
    assert_eq!(error["details"]["mend"], json!(null), "{error}");

    let list = step(
        "issue.list",
        json!({"owner": "acme", "repo": "rocket", "first": 20}),
    );
    let ran = bench.run(&[list]).await;
    let error = serde_json::to_value(&ran.results[0]).unwrap()["error"].clone();
    let said = error["message"].as_str().unwrap();
    assert!(said.contains("fewer rows, such as `first: 10`"), "{said}");
    let smaller = &error["details"]["mend"]["arguments"];
    assert_eq!(smaller["capability"], "issue.list", "{error}");
    assert_eq!(smaller["input"]["first"], 10, "{error}");
}

/// Another route has other limits.
#[tokio::test]
async fn a_read_that_is_too_much_alone_falls_back_and_a_write_does_not() {
    let bench = Bench::demo().await;
    let too_much = |path: Option<&str>| FaultKind::GraphqlError {
        error_type: "RESOURCE_LIMITS_EXCEEDED".to_owned(),
        message: "Resource limits for this query exceeded.".to_owned(),
        path: path.map(|path| vec![json!(path)]),
    };
    bench
        .sim
        .inject(Fault::always(too_much(Some("repository"))).on_reads());
    let ran = bench.run(&[view(1)]).await;
    assert_all_ok(&ran);
    let paths: Vec<_> = bench
        .sim
        .requests()
        .iter()
        .map(|it| it.path.clone())
        .collect();
    assert!(paths.last().unwrap().starts_with("/repos/"), "{paths:?}");

    let bench = Bench::demo().await;
    bench.sim.inject(Fault::always(too_much(None)).on_writes());
    let ran = bench.run(&[retitle(1, "Once")]).await;
    assert_eq!(outcome(&ran.results[0]), "unknown", "{:?}", codes(&ran));
    assert_eq!(bench.writes().len(), 1);
}

/// A request that was too much may have been carried out in part.
#[tokio::test]
async fn writes_that_are_too_much_are_not_sent_again() {
    let bench = Bench::set_up(Setup::graphql_only(Vec::new())).await;
    bench
        .sim
        .inject(Fault::always(FaultKind::TooMany { fields: 5 }).on_writes());
    let steps: Vec<_> = (0..8)
        .map(|it| comment(1, &format!("Remark {it}")))
        .collect();
    let ran = bench.run(&steps).await;
    assert!(
        ran.results.iter().all(|it| outcome(it) == "unknown"),
        "{:?}",
        codes(&ran)
    );
    assert_eq!(bench.counts(), (1, 1));
}

#[tokio::test]
async fn what_takes_too_long_is_halved() {
    let mut setup = Setup::graphql_only(Vec::new());
    setup.settings.request_timeout = Duration::from_millis(1000);
    let bench = Bench::set_up(setup).await;
    // The simulator reads its schema when it is first asked.
    assert!(bench.run_alone(&view(1)).await.ok);
    bench.clear();
    bench
        .sim
        .inject(Fault::always(FaultKind::SlowPerField { ms: 90 }).on_reads());
    let steps: Vec<_> = open_issues(&bench.sim)[..16]
        .iter()
        .map(|it| view(*it))
        .collect();
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    assert!(bench.counts().0 > 2);
}

/// Even what is alone can be too much; then it is its own fault.
#[tokio::test]
async fn what_is_too_much_alone_fails_alone() {
    let bench = Bench::set_up(Setup::graphql_only(vec![cards::deep()])).await;
    let deep = |issues: u64| step("issues.deep", json!({"issues": issues, "comments": 100}));
    // 100 × 100 × 10 and what is around them are below the limit, six hundred are not.
    let steps = [view(1), deep(600), deep(50), view(2)];
    let ran = bench.run(&steps).await;
    assert_eq!(
        codes(&ran),
        ["ok", "VALIDATION", "ok", "ok"],
        "{:?}",
        message(&ran.results[2])
    );
}

/// GitHub refuses requests that could answer with more than 500,000 nodes.
#[tokio::test]
async fn requests_stay_below_the_limit_of_nodes() {
    let bench = Bench::set_up(Setup::graphql_only(vec![cards::deep()])).await;
    // Each about 110,000, none like another.
    let steps: Vec<_> = (0..12)
        .map(|it| step("issues.deep", json!({"issues": 100, "comments": 100 - it})))
        .collect();
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    let seen = bench.sim.requests();
    assert_eq!(
        seen.iter()
            .map(|it| it.root_fields.len())
            .collect::<Vec<_>>(),
        [4, 4, 4]
    );
    assert_eq!((ran.meta.requests, ran.meta.chunks), (3, 3));
}

#[tokio::test]
async fn requests_stay_below_the_limit_of_bytes() {
    let bench = Bench::demo().await;
    let long = "x".repeat(60_000);
    let steps: Vec<_> = (0..10)
        .map(|it| comment(1, &format!("{it} {long}")))
        .collect();
    let ran = bench.run(&steps).await;
    assert_all_ok(&ran);
    let sizes: Vec<_> = bench
        .writes()
        .iter()
        .map(|it| it.root_fields.len())
        .collect();
    assert_eq!(sizes, [4, 4, 2]);
    let starts: Vec<_> = portrait(&bench.sim)[&1]
        .comments
        .iter()
        .filter(|it| it.ends_with(&long))
        .map(|it| it[..1].to_owned())
        .collect();
    assert_eq!(starts.concat(), "0123456789");
    for sent in bench.sent.all() {
        let bytes = serde_json::to_string(&sent.request).unwrap().len();
        assert!(
            bytes <= ChunkLimits::default().bytes + 10_000,
            "{bytes} bytes"
        );
    }
}

#[tokio::test]
async fn small_limits_of_bytes_change_nothing_but_the_number_of_requests() {
    let one = Bench::demo().await;
    let steps: Vec<_> = open_issues(&one.sim)[..12]
        .iter()
        .map(|it| view(*it))
        .collect();
    let expected = one.run(&steps).await.results;
    for bytes in [1, 1_500, 3_000] {
        let bench = Bench::with_limits(ChunkLimits {
            bytes,
            ..ChunkLimits::default()
        })
        .await;
        let ran = bench.run(&steps).await;
        assert_eq!(ran.results, expected, "{bytes} bytes");
        assert!(ran.meta.chunks > 1, "{bytes} bytes");
    }
}
