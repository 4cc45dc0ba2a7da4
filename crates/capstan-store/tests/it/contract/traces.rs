//! What executions did.

use capstan_core::ErrorCode;
use capstan_core::code::{ConsoleLine, Mode, Trace, TraceCall, TraceId};
use capstan_core::port::{Store, StoreError, TraceFilter};
use serde_json::{Value, json};

use super::*;

/// The times of what is listed.
async fn times(store: &dyn Store, filter: TraceFilter) -> Vec<i64> {
    let found = store.traces(&filter).await.unwrap();
    found.iter().map(|it| it.started_at).collect()
}

pub(crate) async fn come_back_as_they_were(backend: &Backend) {
    let store = backend.open();
    let failed = TraceCall {
        within: Some(0),
        ok: false,
        error_code: Some(ErrorCode::NotFound),
        error: Some("no such thing".to_owned()),
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
        ok: false,
        error_code: Some(ErrorCode::Timeout),
        error: Some("too slow".to_owned()),
        console: vec![line("log"), line("error")],
        console_cut: true,
        calls: vec![trace(1, &["issue.view"]).calls.remove(0), failed],
        ..trace(1000, &[])
    };
    for mode in [Mode::Single, Mode::Chain, Mode::Direct, Mode::Suggestion] {
        let other = Trace {
            mode,
            ..trace(mode as i64, &[])
        };
        store.add_trace(other.clone()).await.unwrap();
        let found = store.trace(other.id.as_str()).await.unwrap();
        assert_eq!(found, Some(other));
    }
    store.add_trace(full.clone()).await.unwrap();
    let found = backend.open().trace(full.id.as_str()).await.unwrap();
    assert_eq!(found, Some(full.clone()));

    let summary = store
        .traces(&TraceFilter::default())
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
        store.add_trace(new).await.unwrap();
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
    store.add_trace(ran).await.unwrap();
    store
        .add_trace(trace(2000, &["issue.view", "pr.list"]))
        .await
        .unwrap();
    store.add_trace(trace(3000, &["pr.list"])).await.unwrap();
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
        store.add_trace(new).await.unwrap();
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
        let found = store.trace(beginning).await.unwrap();
        let id = found.as_ref().map(|it| it.id.as_str());
        assert_eq!(id, expected, "{beginning}");
    }
    let error = store.trace("abc").await.unwrap_err();
    assert_eq!(
        error,
        StoreError::Refused(
            "`abc` is the beginning of several traces: give more of the id".to_owned()
        )
    );
}

pub(crate) async fn are_pruned_from_the_oldest(backend: &Backend) {
    let store = backend.open();
    for at in [1, 2, 3, 4, 5] {
        store.add_trace(trace(at, &["issue.view"])).await.unwrap();
    }
    let all = TraceFilter::default;
    assert_eq!(store.prune_traces(9).await, Ok(0));
    assert_eq!(store.prune_traces(3).await, Ok(2));
    assert_eq!(times(&*store, all()).await, [5, 4, 3]);
    let gone = TraceId::new(1, 0);
    assert_eq!(store.trace(gone.as_str()).await, Ok(None));
    assert_eq!(store.prune_traces(u64::MAX).await, Ok(0));
    assert_eq!(store.prune_traces(0).await, Ok(3));
    assert_eq!(times(&*store, all()).await, [0; 0]);
}

pub(crate) async fn the_first_of_two_with_one_id_stays(backend: &Backend) {
    let store = backend.open();
    let first = trace(1, &["issue.view"]);
    let second = Trace {
        id: first.id.clone(),
        ..trace(2, &["pr.list", "pr.view"])
    };
    store.add_trace(first.clone()).await.unwrap();
    store.add_trace(second).await.unwrap();
    assert_eq!(store.trace(first.id.as_str()).await, Ok(Some(first)));
}

pub(crate) async fn a_use_and_its_trace_are_kept_together(backend: &Backend) {
    let store = backend.open();
    let fqdn = store.register(new("a")).await.unwrap().record.fqdn;
    let kept = trace(2000, &["issue.view"]);
    let one = used(true, 5.0, 2000);
    store
        .record_use(&fqdn, one, Some(kept.clone()))
        .await
        .unwrap();
    let found = store.trace(kept.id.as_str()).await.unwrap().unwrap();
    assert_eq!(found.capability.as_deref(), Some(fqdn.as_str()));
    assert_eq!(found.calls, kept.calls);
}

pub(crate) async fn what_is_too_deep_is_left_out(backend: &Backend) {
    let store = backend.open();
    let mut deep = trace(1, &["issue.view"]);
    deep.calls[0].output = (0..200).fold(Value::Null, |inner, _| json!({"a": inner}));
    store.add_trace(deep.clone()).await.unwrap();
    let found = store.trace(deep.id.as_str()).await.unwrap().unwrap();
    assert_eq!(found.calls[0].input, deep.calls[0].input);
    assert_eq!(found.calls[0].output, "(nested too deeply to be kept)");
}
