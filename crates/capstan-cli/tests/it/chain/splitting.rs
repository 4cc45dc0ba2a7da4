//! Requests that fail for what one of their steps does: they are split until the innocent have their
//! data and the guilty their error.

use capstan_core::ChainStep;
use github_sim::{Fault, FaultKind};
use serde_json::json;

use super::bench::{Bench, Setup};
use super::cards;
use super::steps::{close, codes, comment, exactly, label, message, outcome, retitle, view};
use super::world::{is_closed, node_id, open_issues, portrait};

#[tokio::test]
async fn a_field_that_is_never_null_takes_nobody_along() {
    let bench = Bench::with_cards(vec![cards::search(), cards::nodes(), cards::me()]).await;
    let search = |first: u64| {
        exactly(
            "issues.search",
            &json!({"query": "repo:acme/rocket", "first": first}),
        )
    };
    let ids = |count: usize| {
        let ids = vec![node_id(&bench.sim, 1); count];
        exactly("nodes.view", &json!({"ids": ids}))
    };
    let cases: [(&str, Vec<ChainStep>, usize); 4] = [
        ("search", vec![view(1), search(500), search(5), view(2)], 1),
        ("nodes", vec![view(1), ids(101), ids(2), view(2)], 1),
        ("at the end", vec![view(1), view(2), ids(2), search(101)], 3),
        (
            "at the beginning",
            vec![ids(101), view(2), search(3), view(1)],
            0,
        ),
    ];
    for (what, steps, guilty) in cases {
        bench.clear();
        let ran = bench.run(&steps).await;
        let alone = bench.run_alone(&steps[guilty]).await.error.unwrap();
        for (index, code) in codes(&ran).iter().enumerate() {
            let expected = if index == guilty {
                alone.code.to_string()
            } else {
                "ok".to_owned()
            };
            assert_eq!(
                *code,
                expected,
                "{what}: {index}: {}",
                message(&ran.results[index])
            );
        }
        assert_eq!(message(&ran.results[guilty]), alone.message, "{what}");
    }
}

#[tokio::test]
async fn a_guilty_step_that_github_names_costs_one_request_more() {
    let bench = Bench::with_cards(vec![cards::search()]).await;
    let mut steps: Vec<_> = open_issues(&bench.sim)[..20]
        .iter()
        .map(|it| view(*it))
        .collect();
    steps[7] = exactly("issues.search", &json!({"query": "x", "first": 500}));
    let ran = bench.run(&steps).await;
    assert_eq!(codes(&ran).iter().filter(|it| *it == "ok").count(), 19);
    assert_eq!(bench.counts(), (2, 0));
    assert_eq!((ran.meta.requests, ran.meta.chunks), (2, 1));
}

/// Two that are both named are both out at once.
#[tokio::test]
async fn several_guilty_steps_leave_the_innocent_alone() {
    let bench = Bench::with_cards(vec![cards::search(), cards::nodes()]).await;
    let bad = |first: u64| exactly("issues.search", &json!({"query": "x", "first": first}));
    let many = exactly("nodes.view", &json!({"ids": vec!["x"; 101]}));
    let steps = [
        view(1),
        bad(101),
        view(2),
        bad(102),
        many,
        view(3),
        bad(103),
    ];
    let ran = bench.run(&steps).await;
    let ok: Vec<_> = ran.results.iter().map(|it| it.ok).collect();
    assert_eq!(
        ok,
        [true, false, true, false, false, true, false],
        "{:?}",
        codes(&ran)
    );
    assert!(bench.counts().0 <= 6, "{:?}", bench.counts());
}

/// GitHub refuses the whole document and does not say for whose sake.
#[tokio::test]
async fn who_lacks_a_scope_is_found_by_halving() {
    for guilty in [vec![0], vec![17], vec![29], vec![3, 20], vec![0, 11, 29]] {
        let roots = ["viewer", "meta", "licenses"];
        let cards = roots.map(cards::root).to_vec();
        let bench = Bench::set_up(Setup::graphql_only(cards)).await;
        let issues = open_issues(&bench.sim);
        let mut steps: Vec<_> = (0..30).map(|it| view(issues[it % 29])).collect();
        for (place, root) in guilty.iter().zip(roots) {
            steps[*place] = exactly(&format!("root.{root}"), &json!({}));
            bench
                .sim
                .inject(Fault::always(FaultKind::Status403Scope).named(root));
        }
        let ran = bench.run(&steps).await;
        for (index, code) in codes(&ran).iter().enumerate() {
            let expected = if guilty.contains(&index) {
                "AUTH"
            } else {
                "ok"
            };
            assert_eq!(code, expected, "{guilty:?}: {index}");
        }
        let most = 1 + 2 * 5 * guilty.len();
        assert!(
            bench.counts().0 <= most,
            "{guilty:?}: {:?} requests",
            bench.counts()
        );
    }
}

/// What was refused as a whole did not happen, so that writes can be split too, and keep their order.
#[tokio::test]
async fn a_write_that_lacks_a_scope_is_found_and_the_others_keep_their_order() {
    let bench = Bench::set_up(Setup::graphql_only(Vec::new())).await;
    let refusal = Fault::always(FaultKind::Status403Scope).on_writes();
    bench.sim.inject(refusal.named("addLabelsToLabelable"));
    let steps = [
        retitle(1, "a"),
        close(2),
        retitle(1, "b"),
        label(3, &["gnc"]),
        retitle(1, "c"),
        comment(1, "x"),
        retitle(1, "d"),
    ];
    let ran = bench.run(&steps).await;
    assert_eq!(codes(&ran), ["ok", "ok", "ok", "AUTH", "ok", "ok", "ok"]);
    assert_eq!(outcome(&ran.results[3]), "not_applied");
    assert_eq!(portrait(&bench.sim)[&1].title, "d");
    assert!(is_closed(&bench.sim, 2));
    let applied: usize = bench
        .writes()
        .iter()
        .map(|it| it.applied_fields.len())
        .sum();
    assert_eq!(applied, 6, "each once");
}
