//! Writes whose answer was lost are looked for by a read; what the read does not prove stays unknown.

use std::time::Duration;

use capstan_core::ChainStep;
use capstan_engine::ChunkLimits;
use github_sim::{Cut, Fault, FaultKind};
use serde_json::json;

use super::super::bench::{Bench, Setup};
use super::super::cards;
use super::super::steps::{
    close, codes, comment, label, outcome, reopen, retitle, step, unlabel, view,
};
use super::super::world::{comments_saying, is_closed, portrait};

fn cut(writes: usize) -> Fault {
    let then = Cut::Status502;
    Fault::once(FaultKind::CutAfterWrites { writes, then })
}

/// Each by itself, or one read for all.
#[tokio::test]
async fn one_read_tells_what_became_of_all() {
    let bench = Bench::demo().await;
    bench.sim.inject(cut(4));
    let steps = [
        close(1),
        label(2, &["gnc"]),
        unlabel(3, "bug"),
        retitle(5, "Igniter"),
        step(
            "issue.assignees.add",
            json!({"issue_number": 6, "assignees": ["priya-nair"]}),
        ),
        reopen(4),
    ];
    let ran = bench.run(&steps).await;
    assert_eq!(codes(&ran), ["ok", "ok", "ok", "ok", "SERVER", "SERVER"]);
    assert_eq!(
        bench.counts(),
        (2, 1),
        "lookups, writes, and one read to verify"
    );
    for result in &ran.results[..4] {
        assert_eq!(result.data.as_ref().unwrap()["changed"], true, "{result:?}");
        assert!(result.meta.warnings[0].contains("lost"), "{result:?}");
    }
    for result in &ran.results[4..] {
        assert_eq!(outcome(result), "unknown");
        assert_eq!(
            result.error.as_ref().unwrap().details["verified"],
            "not_seen"
        );
    }
}

#[tokio::test]
async fn what_cannot_be_looked_at_stays_unknown() {
    for kind in [
        FaultKind::ResetBefore,
        FaultKind::Status401,
        FaultKind::Status502Html,
        FaultKind::NotJson,
        FaultKind::Status429 { retry_after: None },
    ] {
        let bench = Bench::demo().await;
        bench
            .sim
            .inject(Fault::once(FaultKind::ResetAfter).on_writes());
        // The lookups are answered; nothing after them is.
        bench
            .sim
            .inject(Fault::always(kind.clone()).on_reads().after(1));
        let ran = bench.run(&[close(1), comment(2, "x"), close(3)]).await;
        for result in &ran.results {
            assert_eq!(outcome(result), "unknown", "{kind:?}: {result:?}");
            assert!(!result.error.as_ref().unwrap().retryable);
        }
        assert_eq!(bench.counts().1, 1, "{kind:?}: nothing is sent again");
        assert!(is_closed(&bench.sim, 1) && is_closed(&bench.sim, 3));
    }
}

/// A state that an earlier step has set does not prove that a later one did the same.
#[tokio::test]
async fn what_another_step_did_proves_nothing() {
    let cases: [(&str, Vec<ChainStep>); 2] = [
        (
            "titles",
            vec![retitle(1, "a"), retitle(1, "b"), retitle(1, "a")],
        ),
        (
            "labels",
            vec![label(1, &["gnc"]), comment(1, "x"), label(1, &["gnc"])],
        ),
    ];
    for (what, steps) in cases {
        let bench = Bench::demo().await;
        bench.sim.inject(cut(1));
        let ran = bench.run(&steps).await;
        assert!(
            !ran.results[2].ok,
            "{what}: only the first was carried out: {:?}",
            codes(&ran)
        );
    }
}

/// Nor what one did of which nobody knows what it touches.
#[tokio::test]
async fn what_a_step_did_over_rest_proves_nothing() {
    let bench = Bench::with_cards(vec![cards::state_over_rest()]).await;
    let lost = Fault::always(FaultKind::ResetBefore);
    bench.sim.inject(lost.on_graphql().on_writes().after(1));
    let over_rest = step("state.set", json!({"issue_number": 1, "state": "closed"}));
    // The comment has something to look up, so that the lookup of the last is as old.
    let ran = bench.run(&[comment(2, "x"), over_rest, close(1)]).await;
    let last = &ran.results[2];
    let claimed = last
        .data
        .as_ref()
        .is_some_and(|data| data["changed"] == true);
    assert!(!claimed, "it was never carried out: {last:?}");
}

/// A write that waits for the one before it is not sent while that one is in doubt.
#[tokio::test]
async fn nothing_is_written_after_what_is_in_doubt() {
    let limits = ChunkLimits {
        writes: 2,
        ..ChunkLimits::default()
    };
    let cases: [(Fault, [&str; 6], [&str; 6]); 3] = [
        // The first request is lost, and cannot be verified.
        (
            Fault::once(FaultKind::ResetAfter),
            [
                "NETWORK",
                "NETWORK",
                "CANCELLED",
                "CANCELLED",
                "CANCELLED",
                "ok",
            ],
            [
                "unknown",
                "unknown",
                "not_applied",
                "not_applied",
                "not_applied",
                "-",
            ],
        ),
        // The second is.
        (
            Fault::once(FaultKind::ResetAfter).after(1),
            ["ok", "ok", "NETWORK", "NETWORK", "CANCELLED", "ok"],
            ["-", "-", "unknown", "unknown", "not_applied", "-"],
        ),
        // The third is.
        (
            Fault::once(FaultKind::ResetAfter).after(2),
            ["ok", "ok", "ok", "ok", "NETWORK", "ok"],
            ["-", "-", "-", "-", "unknown", "-"],
        ),
    ];
    for (fault, expected, outcomes) in cases {
        let bench = Bench::with_limits(limits).await;
        bench.sim.inject(fault.clone().on_writes());
        let mut steps: Vec<_> = (0..5)
            .map(|index| comment(1, &format!("Remark {index}")))
            .collect();
        steps.push(view(2));
        let ran = bench.run(&steps).await;
        assert_eq!(codes(&ran), expected, "{fault:?}");
        let told: Vec<_> = ran.results.iter().map(outcome).collect();
        assert_eq!(told, outcomes, "{fault:?}");
        assert_eq!(bench.counts().1, 1 + fault.after as usize);
        for (index, outcome) in outcomes[..5].iter().enumerate() {
            let done = comments_saying(&bench.sim, 1, &format!("Remark {index}"));
            assert_eq!(
                done,
                usize::from(*outcome != "not_applied"),
                "{fault:?}: {index}"
            );
        }
    }
}

/// What a read has proven is no doubt any more.
#[tokio::test]
async fn writing_goes_on_after_what_was_verified() {
    let limits = ChunkLimits {
        writes: 2,
        ..ChunkLimits::default()
    };
    let bench = Bench::with_limits(limits).await;
    bench
        .sim
        .inject(Fault::once(FaultKind::HangAfter).on_writes().after(9));
    bench
        .sim
        .inject(Fault::once(FaultKind::ResetAfter).on_writes());
    let ran = bench
        .run(&[close(1), close(2), comment(3, "x"), retitle(5, "y")])
        .await;
    assert_eq!(codes(&ran), ["ok"; 4]);
    assert_eq!(bench.counts(), (2, 2));
    assert_eq!(portrait(&bench.sim)[&5].title, "y");
}

/// Steps that refer to a write in doubt do not run.
#[tokio::test]
async fn who_needs_what_is_in_doubt_is_skipped() {
    let bench = Bench::demo().await;
    bench
        .sim
        .inject(Fault::once(FaultKind::ResetAfter).on_writes());
    let steps = [
        step("issue.create", json!({"title": "Igniter"})),
        step("issue.view", json!({"issue_number": "$0.data.number"})),
        step("issue.close", json!({"issue_number": "$0.data.number"})),
    ];
    let ran = bench.run(&steps).await;
    assert_eq!(codes(&ran), ["NETWORK", "CANCELLED", "CANCELLED"]);
    assert_eq!(outcome(&ran.results[0]), "unknown");
    assert_eq!(bench.counts(), (1, 1));
}

/// Without time to look, a lost write stays unknown, and the chain ends.
#[tokio::test]
async fn there_may_be_no_time_to_look() {
    let mut setup = Setup::default();
    setup.settings.request_timeout = Duration::from_millis(800);
    let bench = Bench::set_up(setup).await;
    // The simulator reads its schema when it is first asked.
    assert!(bench.run_alone(&view(1)).await.ok);
    bench
        .sim
        .inject(Fault::always(FaultKind::HangAfter).on_writes());
    let request = capstan_core::ChainRequest {
        steps: vec![close(1), close(2)],
        timeout_ms: Some(700),
        trace: false,
        ..capstan_core::ChainRequest::default()
    };
    let ran = bench.capstan.execute_tasks(&request).await;
    for result in &ran.results {
        assert_eq!(
            (outcome(result), result.ok),
            ("unknown", false),
            "{result:?}"
        );
    }
    assert_eq!(bench.counts().1, 1);
}
