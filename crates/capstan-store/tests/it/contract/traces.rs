//! What executions did.

use capstan_core::code::{
    CallStage, ConsoleLine, Mode, OpenCall, OpenTrace, Trace, TraceCall, TraceId, TraceState,
    Visibility,
};
use capstan_core::port::{NewCapability, Store, StoreError, TraceFilter, Viewer};
use capstan_core::run::{NewRun, Noted, RunTurn};
use capstan_core::{ErrorCode, Outcome};
use serde_json::{Value, json};

use super::*;

/// The times of what is listed.
async fn times(store: &dyn Store, filter: TraceFilter) -> Vec<i64> {
    times_of(store, &ann(), filter).await
}

async fn times_of(store: &dyn Store, viewer: &Viewer, filter: TraceFilter) -> Vec<i64> {
    let found = store.traces(viewer, &filter).await.unwrap();
    found.iter().map(|it| it.started_at).collect()
}

pub(crate) async fn come_back_as_they_were(backend: &Backend) {
    let store = backend.open();
    let failed = TraceCall {
        code: Some(fqdn("local.default.issue.exec_c.d")),
        step: Some("fetch/lost".to_owned()),
        within: Some(0),
        ok: false,
        error_code: Some(ErrorCode::NotFound),
        error: Some("no such thing".to_owned()),
        outcome: Some(Outcome::Unknown),
        input: Value::Null,
        output: json!([1, {"a": null}, "ü\u{0}"]),
        ..trace(1, &["caps:mine"]).calls.remove(0)
    };
    let line = |level: &str| ConsoleLine {
        level: level.to_owned(),
        text: "x\ny".to_owned(),
    };
    let full = Trace {
        mode: Mode::ByName,
        intent: Some("see".to_owned()),
        capability: Some("local.default.issue.exec_a.b".to_owned()),
        input: json!({"n": 2, "of": ["ü"]}),
        follows: Some(code(&fqdn("local.default.issue.exec_e.f"))),
        ok: false,
        error_code: Some(ErrorCode::Timeout),
        error: Some("too slow".to_owned()),
        console: vec![line("log"), line("error")],
        console_cut: true,
        calls: vec![trace(1, &["issue.view"]).calls.remove(0), failed],
        ..trace(1000, &[])
    };
    for (mode, follows) in [
        (Mode::Single, None),
        (Mode::Chain, Some(card("issue.view"))),
        (Mode::Direct, Some(card(""))),
        (Mode::Skill, Some(card("a \"b\" ü"))),
        (Mode::Suggestion, None),
    ] {
        let other = Trace {
            mode,
            follows,
            ..trace(mode as i64, &[])
        };
        store.add_trace(&ann(), other.clone()).await.unwrap();
        let found = store.trace(&ann(), other.id.as_str()).await.unwrap();
        assert_eq!(found, Some(other));
    }
    store.add_trace(&ann(), full.clone()).await.unwrap();
    let found = backend
        .open()
        .trace(&ann(), full.id.as_str())
        .await
        .unwrap();
    assert_eq!(found, Some(full.clone()));

    let summary = store
        .traces(&ann(), &TraceFilter::default())
        .await
        .unwrap()
        .remove(0);
    assert_eq!(summary.id, full.id);
    assert_eq!(summary.mode, full.mode);
    assert_eq!(summary.intent, full.intent);
    assert_eq!(summary.capability, full.capability);
    assert_eq!(summary.started_at, full.started_at);
    assert_eq!(summary.duration_us, full.duration_us);
    assert_eq!(summary.error_code, full.error_code);
    assert_eq!((summary.ok, summary.calls), (false, 2));
}

pub(crate) async fn are_listed_newest_first(backend: &Backend) {
    let store = backend.open();
    for at in [2000, 1000, 4000, 3000] {
        let ok = at != 4000;
        let new = Trace {
            ok,
            ..trace(at, &[])
        };
        store.add_trace(&ann(), new).await.unwrap();
    }
    let none = TraceFilter::default;
    assert_eq!(times(&*store, none()).await, [4000, 3000, 2000, 1000]);
    let limit = Some(2);
    assert_eq!(
        times(&*store, TraceFilter { limit, ..none() }).await,
        [4000, 3000]
    );
    let before = Some(TraceId::new(3000, 0));
    let page = TraceFilter {
        before,
        limit: Some(1),
        ..none()
    };
    assert_eq!(times(&*store, page).await, [2000]);
    let ok = Some(false);
    assert_eq!(times(&*store, TraceFilter { ok, ..none() }).await, [4000]);
}

pub(crate) async fn are_found_by_what_they_ran_or_called(backend: &Backend) {
    let store = backend.open();
    let ran = Trace {
        capability: Some("issue.view".to_owned()),
        ..trace(1000, &["issue.view", "issue.view"])
    };
    store.add_trace(&ann(), ran).await.unwrap();
    store
        .add_trace(&ann(), trace(2000, &["issue.view", "pr.list"]))
        .await
        .unwrap();
    store
        .add_trace(&ann(), trace(3000, &["pr.list"]))
        .await
        .unwrap();
    let of = |capability: &str| TraceFilter {
        capability: Some(capability.to_owned()),
        ..TraceFilter::default()
    };
    assert_eq!(times(&*store, of("issue.view")).await, [2000, 1000]);
    assert_eq!(times(&*store, of("pr.list")).await, [3000, 2000]);
    assert_eq!(times(&*store, of("pr")).await, [0; 0]);
}

pub(crate) async fn are_found_by_the_beginning_of_their_id(backend: &Backend) {
    let store = backend.open();
    for id in ["abc1", "abc2", "abc22", "b", "x%"] {
        let new = Trace {
            id: TraceId::kept(id),
            ..trace(1, &[])
        };
        store.add_trace(&ann(), new).await.unwrap();
    }
    for (beginning, expected) in [
        ("abc1", Some("abc1")),
        ("b", Some("b")),
        ("abc2", Some("abc2")),
        ("abc22", Some("abc22")),
        ("x", Some("x%")),
        ("%", None),
        ("", None),
        ("bb", None),
        ("ABC1", None),
    ] {
        let found = store.trace(&ann(), beginning).await.unwrap();
        let id = found.as_ref().map(|it| it.id.as_str());
        assert_eq!(id, expected, "{beginning}");
    }
    let error = store.trace(&ann(), "abc").await.unwrap_err();
    assert_eq!(
        error,
        StoreError::Refused("`abc` matches several traces: give more of the id".to_owned())
    );
}

pub(crate) async fn are_pruned_from_the_oldest(backend: &Backend) {
    let store = backend.open();
    for at in [1, 2, 3, 4, 5] {
        store
            .add_trace(&ann(), trace(at, &["issue.view"]))
            .await
            .unwrap();
    }
    let all = TraceFilter::default;
    assert_eq!(store.prune_traces(&ann(), 9).await, Ok(0));
    assert_eq!(store.prune_traces(&ann(), 3).await, Ok(2));
    assert_eq!(times(&*store, all()).await, [5, 4, 3]);
    let gone = TraceId::new(1, 0);
    assert_eq!(store.trace(&ann(), gone.as_str()).await, Ok(None));
    assert_eq!(store.prune_traces(&ann(), u64::MAX).await, Ok(0));
    assert_eq!(store.prune_traces(&ann(), 0).await, Ok(3));
    assert_eq!(times(&*store, all()).await, [0; 0]);
}

pub(crate) async fn the_first_of_two_with_one_id_stays(backend: &Backend) {
    let store = backend.open();
    let first = trace(1, &["issue.view"]);
    let second = Trace {
        id: first.id.clone(),
        ..trace(2, &["pr.list", "pr.view"])
    };
    store.add_trace(&ann(), first.clone()).await.unwrap();
    store.add_trace(&ann(), second).await.unwrap();
    assert_eq!(
        store.trace(&ann(), first.id.as_str()).await,
        Ok(Some(first))
    );
}

/// More than one transaction takes, some of them while others are being stored.
pub(crate) async fn are_seen_at_once_even_if_stored_later(backend: &Backend) {
    const COUNT: i64 = 600;
    let store = backend.open();
    for at in 1..=COUNT {
        store.add_trace_later(&ann(), trace(at, &["issue.view"]), at % 3 == 0);
        if at % 250 == 0 {
            let newest = TraceFilter {
                limit: Some(1),
                ..TraceFilter::default()
            };
            assert_eq!(times(&*store, newest).await, [at]);
        }
    }
    let last = trace(COUNT, &["issue.view"]);
    let found = store.trace(&ann(), last.id.as_str()).await.unwrap();
    assert_eq!(found, Some(last));
    assert_eq!(store.unlearned(&ann(), 1000).await.unwrap().len(), 400);

    // What was not stored yet is stored when the store is closed.
    store.add_trace_later(&ann(), trace(COUNT + 1, &["pr.list"]), false);
    drop(store);
    let all = TraceFilter {
        limit: Some(1000),
        ..TraceFilter::default()
    };
    assert_eq!(times(&*backend.open(), all).await.len(), 601);
}

/// Neither another of the scope, nor the same user in another one.
fn others() -> [Viewer; 3] {
    [
        bob(),
        viewer("local.other", "ann"),
        viewer("acme.web", "bob"),
    ]
}

pub(crate) async fn are_seen_by_whoever_ran_it(backend: &Backend) {
    let store = backend.open();
    let of_code = NewCapability {
        trace: Some(trace(2000, &["issue.view"])),
        ..new("a")
    };
    let fqdn = store.register(of_code).await.unwrap().record.fqdn;
    let alone = trace(1000, &["issue.view"]);
    store.add_trace(&ann(), alone.clone()).await.unwrap();
    // Who sees the capability does not see its runs.
    store
        .set_visibility(&fqdn, Visibility::Public, 1)
        .await
        .unwrap();

    let of = |capability: &str| TraceFilter {
        capability: Some(capability.to_owned()),
        ..TraceFilter::default()
    };
    let filters = || [TraceFilter::default(), of("issue.view"), of(fqdn.as_str())];
    for who in others() {
        for filter in filters() {
            assert_eq!(times_of(&*store, &who, filter).await, [0; 0], "{who:?}");
        }
        let id = alone.id.as_str();
        for beginning in [id, &id[..id.len() - 1], &id[..1]] {
            let found = store.trace(&who, beginning).await;
            assert_eq!(found, Ok(None), "{beginning} for {who:?}");
        }
    }
    let [all, by_call, by_name] = filters();
    assert_eq!(times(&*store, all).await, [2000, 1000]);
    assert_eq!(times(&*store, by_call).await, [2000, 1000]);
    assert_eq!(times(&*store, by_name).await, [2000]);
}

/// Who uses what another shared has the trace of it.
pub(crate) async fn of_shared_code_are_of_whoever_ran_it(backend: &Backend) {
    let store = backend.open();
    let by = |who: Viewer, at: i64| NewCapability {
        trace: Some(trace(at, &[])),
        ..new_by(&who, "a")
    };
    let fqdn = store.register(by(ann(), 1000)).await.unwrap().record.fqdn;
    store
        .set_visibility(&fqdn, Visibility::Project, 1)
        .await
        .unwrap();
    store.register(by(bob(), 2000)).await.unwrap();
    for (who, at) in [(ann(), 1000), (bob(), 2000)] {
        let of = TraceFilter {
            capability: Some(fqdn.to_string()),
            ..TraceFilter::default()
        };
        assert_eq!(times_of(&*store, &who, of).await, [at]);
    }
}

pub(crate) async fn are_pruned_by_whoever_ran_it(backend: &Backend) {
    let store = backend.open();
    for at in [1, 3, 5] {
        store.add_trace(&ann(), trace(at, &[])).await.unwrap();
    }
    for (who, at) in others().iter().zip([2, 4, 6]) {
        store.add_trace(who, trace(at, &[])).await.unwrap();
    }
    let all = TraceFilter::default;
    for (who, at) in others().iter().zip([2, 4, 6]) {
        // Those of others are not counted among what is kept.
        assert_eq!(store.prune_traces(who, 1).await, Ok(0));
        assert_eq!(times_of(&*store, who, all()).await, [at]);
        assert_eq!(store.prune_traces(who, 0).await, Ok(1));
        assert_eq!(times_of(&*store, who, all()).await, [0; 0]);
        assert_eq!(times(&*store, all()).await, [5, 3, 1]);
    }
    assert_eq!(store.prune_traces(&ann(), 1).await, Ok(2));
    assert_eq!(times(&*store, all()).await, [5]);
}

pub(crate) async fn a_beginning_is_ambiguous_among_the_own_only(backend: &Backend) {
    let store = backend.open();
    let with_id = |id: &str| Trace {
        id: TraceId::kept(id),
        ..trace(1, &[])
    };
    store.add_trace(&ann(), with_id("abc1")).await.unwrap();
    for (who, id) in others().iter().zip(["abc2", "abc", "abc0"]) {
        store.add_trace(who, with_id(id)).await.unwrap();
    }
    for beginning in ["a", "abc", "abc1"] {
        let found = store.trace(&ann(), beginning).await.unwrap();
        assert_eq!(found, Some(with_id("abc1")), "{beginning}");
    }
    store.add_trace(&ann(), with_id("abd")).await.unwrap();
    let error = store.trace(&ann(), "ab").await;
    assert!(matches!(error, Err(StoreError::Refused(_))));
    let found = store.trace(&bob(), "ab").await.unwrap();
    assert_eq!(found, Some(with_id("abc2")));
}

/// An id that another has gives nobody what is theirs.
pub(crate) async fn the_id_of_anothers_changes_nothing_of_it(backend: &Backend) {
    let store = backend.open();
    let hers = trace(1, &["issue.view"]);
    store.add_trace(&ann(), hers.clone()).await.unwrap();
    let id = hers.id.as_str();
    for who in others() {
        let forged = Trace {
            id: hers.id.clone(),
            ..trace(2, &["pr.list", "pr.view"])
        };
        store.add_trace(&who, forged).await.unwrap();
        let found = store.trace(&who, id).await.unwrap();
        assert_ne!(found, Some(hers.clone()));
        store.prune_traces(&who, 0).await.unwrap();
    }
    assert_eq!(store.trace(&ann(), id).await, Ok(Some(hers)));
}

pub(crate) async fn what_is_too_deep_is_left_out(backend: &Backend) {
    let store = backend.open();
    let mut deep = trace(1, &["issue.view"]);
    deep.calls[0].output = (0..200).fold(Value::Null, |inner, _| json!({"a": inner}));
    store.add_trace(&ann(), deep.clone()).await.unwrap();
    let found = store
        .trace(&ann(), deep.id.as_str())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.calls[0].input, deep.calls[0].input);
    assert_eq!(found.calls[0].output, "(nested too deeply to be kept)");
}

/// Three writes: one was answered, one left, one did not.
fn under_way(at: i64) -> OpenTrace {
    let stages = [CallStage::Answered, CallStage::Left, CallStage::Waiting];
    let calls = trace(at, &["a", "b", "c"]).calls.into_iter().zip(stages);
    let calls = calls.zip(0..).map(|((call, stage), position)| OpenCall {
        position,
        stage,
        writes: true,
        call,
    });
    OpenTrace {
        calls: calls.collect(),
        trace: Trace {
            state: TraceState::UnderWay,
            ok: false,
            ..trace(at, &[])
        },
    }
}

pub(crate) async fn that_are_under_way_are_shown_and_teach_nothing(backend: &Backend) {
    let store = backend.open();
    let record = async |open: OpenTrace| {
        let recorded = store.record_execution(&ann(), open, None).await;
        assert_eq!(recorded, Ok(Noted::Kept));
    };
    record(under_way(2000)).await;
    store.add_trace(&ann(), trace(1000, &[])).await.unwrap();
    store.add_trace(&ann(), trace(3000, &[])).await.unwrap();
    assert_eq!(
        times(&*store, TraceFilter::default()).await,
        [3000, 2000, 1000]
    );
    let only = |filter: TraceFilter| times(&*store, filter);
    let limited = TraceFilter {
        limit: Some(2),
        ..TraceFilter::default()
    };
    assert_eq!(only(limited).await, [3000, 2000]);
    let called = TraceFilter {
        capability: Some("b".to_owned()),
        ..TraceFilter::default()
    };
    assert_eq!(only(called).await, [2000]);
    let well = TraceFilter {
        ok: Some(true),
        ..TraceFilter::default()
    };
    assert_eq!(only(well).await, [3000, 1000]);
    let failed = TraceFilter {
        ok: Some(false),
        ..TraceFilter::default()
    };
    assert_eq!(
        only(failed).await,
        [0; 0],
        "what is under way has not failed"
    );
    assert_eq!(
        times_of(&*store, &bob(), TraceFilter::default()).await,
        [0; 0]
    );

    let id = TraceId::new(2000, 0);
    let shown = store.trace(&ann(), id.as_str()).await.unwrap().unwrap();
    assert_eq!((shown.state, shown.ok), (TraceState::UnderWay, false));
    let outcomes: Vec<_> = shown
        .calls
        .iter()
        .map(|call| (call.ok, call.outcome))
        .collect();
    let expected = [
        (true, None),
        (false, Some(Outcome::Unknown)),
        // It may be sent at any moment.
        (false, None),
    ];
    assert_eq!(outcomes, expected);
    assert_eq!(store.trace(&bob(), id.as_str()).await, Ok(None));
    let unlearned = store.unlearned(&ann(), 10).await.unwrap();
    let unlearned: Vec<_> = unlearned.iter().map(|it| it.started_at).collect();
    assert_eq!(unlearned, [1000, 3000], "it teaches nothing");

    // What is recorded later replaces what was known; the whole trace replaces all of it.
    let mut later = under_way(2000);
    later.calls.remove(0);
    later.calls[0].stage = CallStage::Answered;
    record(later).await;
    let shown = store.trace(&ann(), id.as_str()).await.unwrap().unwrap();
    assert!(shown.calls[0].ok && shown.calls[1].ok && !shown.calls[2].ok);
    let whole = trace(2000, &["a", "b", "c"]);
    store.add_trace(&ann(), whole.clone()).await.unwrap();
    assert_eq!(
        times(&*store, TraceFilter::default()).await,
        [3000, 2000, 1000]
    );
    assert_eq!(store.trace(&ann(), id.as_str()).await, Ok(Some(whole)));
    assert_eq!(store.unlearned(&ann(), 10).await.unwrap().len(), 3);
    record(under_way(2000)).await;
    let shown = store.trace(&ann(), id.as_str()).await.unwrap().unwrap();
    assert_eq!(shown.state, TraceState::Ended, "it does not begin again");
    assert_eq!(
        times(&*store, TraceFilter::default()).await,
        [3000, 2000, 1000]
    );
}

pub(crate) async fn of_a_run_that_somebody_took_over_are_not_recorded(backend: &Backend) {
    let store = backend.open();
    let run = NewRun {
        id: TraceId::new(1000, 0),
        skill: "s@1.0.0".to_owned(),
        fingerprint: "f".to_owned(),
        input: None,
        input_hash: "h".to_owned(),
        total: 1,
        at: 1000,
    };
    store.begin_run(&ann(), run.clone()).await.unwrap();
    let turn = RunTurn {
        run: run.id,
        attempt: 1,
    };
    let record = async |at: i64| {
        let turn = Some(turn.clone());
        let viewer = ann();
        let recorded = store.record_execution(&viewer, under_way(at), turn);
        recorded.await.unwrap()
    };
    assert_eq!(record(1000).await, Noted::Kept);
    let taken = store
        .take_over_run(&ann(), &turn, 0, Vec::new(), 2000)
        .await;
    assert!(taken.unwrap().is_some());
    assert_eq!(record(2000).await, Noted::TurnOver);
    assert_eq!(times(&*store, TraceFilter::default()).await, [1000]);
}
