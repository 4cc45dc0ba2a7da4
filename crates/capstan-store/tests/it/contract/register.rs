//! Code becomes a capability.

use capstan_core::code::{EventKind, Visibility};
use capstan_core::port::{CodeFilter, NewCapability, StoreError, TraceFilter};
use serde_json::{Value, json};

use super::*;

pub(crate) async fn the_first_run_makes_pattern_and_record(backend: &Backend) {
    let store = backend.open();
    let made = store.register(new("a7f3b2c1")).await.unwrap();
    let record = &made.record;
    assert_eq!(
        record.fqdn.as_str(),
        "local.default.issue.exec_a7f3b2c1.a7f3"
    );
    assert_eq!(record.name.as_str(), "unnamed_a7f3b2c1");
    assert_eq!(record.action, "exec_a7f3b2c1");
    assert_eq!(record.namespace, "issue");
    assert_eq!(record.visibility, Visibility::Private);
    assert_eq!(record.owner, "ann");
    assert_eq!((record.created_at, record.updated_at), (1000, 1000));
    assert!(record.aliases.is_empty());
    assert_eq!(record.statistics.usage_count, 1);
    assert_eq!(record.statistics.success_count, 1);
    assert_eq!(record.statistics.mean_latency_ms, 10.0);
    assert_eq!(record.statistics.last_used_at, Some(1000));
    assert_eq!(made.pattern.hash, hash("a7f3b2c1"));
    assert_eq!(made.pattern.created_at, 1000);

    let events = store.history(&record.fqdn).await.unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].kind, EventKind::Created);
    assert_eq!(events[0].at, 1000);
}

pub(crate) async fn the_second_run_is_counted(backend: &Backend) {
    let store = backend.open();
    let first = store.register(new("a")).await.unwrap();
    let again = NewCapability {
        used: used(true, 30.0, 2000),
        ..new("a")
    };
    let second = backend.open().register(again).await.unwrap();
    assert_eq!(second.record.fqdn, first.record.fqdn);
    assert_eq!(second.record.statistics.usage_count, 2);
    assert_eq!(second.record.statistics.mean_latency_ms, 20.0);
    assert_eq!(second.record.statistics.last_used_at, Some(2000));
    assert_eq!(second.record.created_at, 1000);
    assert_eq!(second.record.updated_at, 1000);
    assert_eq!(store.history(&first.record.fqdn).await.unwrap().len(), 1);
    assert_eq!(
        listed(&*store, &ann(), CodeFilter::default()).await.len(),
        1
    );
}

pub(crate) async fn the_first_content_stays(backend: &Backend) {
    let store = backend.open();
    let first = store.register(new("a")).await.unwrap();
    let again = NewCapability {
        code: "return  'a' // again".to_owned(),
        intent: "something else".to_owned(),
        namespace: "pr".to_owned(),
        parameters: Value::Null,
        calls: vec![],
        ..new("a")
    };
    let second = store.register(again).await.unwrap();
    assert_eq!(second.pattern, first.pattern);
    assert_eq!(second.record.namespace, "issue");
}

pub(crate) async fn colliding_hashes_stay_distinct(backend: &Backend) {
    let store = backend.open();
    let expected = [
        ("abcd1111", "exec_abcd1111", "abcd", "unnamed_abcd1111"),
        // Four digits are taken.
        ("abcd2222", "exec_abcd2222", "abcd2222", "unnamed_abcd2222"),
        // Eight.
        (
            "abcd22223333",
            "exec_abcd22223333",
            "abcd22223333",
            "unnamed_abcd22223333",
        ),
        // Twelve.
        (
            "abcd222233334444",
            "exec_abcd222233334444",
            "abcd222233334444",
            "unnamed_abcd222233334444",
        ),
        (
            "abcd11115555",
            "exec_abcd11115555",
            "abcd1111",
            "unnamed_abcd11115555",
        ),
    ];
    for (beginning, id, digits, name) in expected {
        let made = store.register(new(beginning)).await.unwrap();
        assert_eq!(made.record.action, id);
        let fqdn = format!("local.default.issue.{id}.{digits}");
        assert_eq!(made.record.fqdn.as_str(), fqdn);
        assert_eq!(made.record.name.as_str(), name);
    }
    for (beginning, id, ..) in expected {
        let again = store.register(new(beginning)).await.unwrap();
        assert_eq!(again.record.action, id);
        assert_eq!(again.record.statistics.usage_count, 2);
    }
}

pub(crate) async fn a_taken_generated_name_is_lengthened(backend: &Backend) {
    let store = backend.open();
    named(&*store, new("a"), "unnamed_b0000000").await;
    let made = store.register(new("b")).await.unwrap();
    assert_eq!(made.record.name.as_str(), "unnamed_b00000000000");
    assert_eq!(made.record.action, "exec_b0000000");
}

pub(crate) async fn failures_count_as_use_only(backend: &Backend) {
    let store = backend.open();
    let fqdn = store.register(new("a")).await.unwrap().record.fqdn;
    let failed = used(false, 40.0, 1500);
    store.record_use(&fqdn, failed).await.unwrap();
    let counted = store
        .record_use_of_code(&ann(), &hash("a"), used(true, 40.0, 1200))
        .await
        .unwrap();
    let found = known(&*store, &ann(), &hash("a")).await;
    assert_eq!(counted, found);
    let statistics = found.unwrap().record.statistics;
    assert_eq!(statistics.usage_count, 3);
    assert_eq!(statistics.success_count, 2);
    assert_eq!(statistics.mean_latency_ms, 30.0);
    assert_eq!(statistics.last_used_at, Some(1500));
}

pub(crate) async fn a_time_that_is_none_spoils_nothing(backend: &Backend) {
    let store = backend.open();
    let fqdn = store.register(new("a")).await.unwrap().record.fqdn;
    for latency in [f64::NAN, f64::INFINITY, -1.0] {
        store
            .record_use(&fqdn, used(true, latency, 1))
            .await
            .unwrap();
    }
    let found = known(&*store, &ann(), &hash("a")).await.unwrap();
    assert_eq!(found.record.statistics.usage_count, 4);
    assert_eq!(found.record.statistics.mean_latency_ms, 2.5);
}

pub(crate) async fn the_trace_gets_the_name(backend: &Backend) {
    let store = backend.open();
    let with_trace = NewCapability {
        trace: Some(trace(1000, &["issue.view"])),
        ..new("a")
    };
    let fqdn = store.register(with_trace).await.unwrap().record.fqdn;
    let all = store.traces(&ann(), &TraceFilter::default()).await.unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].capability.as_deref(), Some(fqdn.as_str()));
    let whole = store.trace(&ann(), all[0].id.as_str()).await.unwrap();
    let expected = trace(1000, &["issue.view"]).calls;
    assert_eq!(whole.unwrap().calls, expected);
}

pub(crate) async fn everything_comes_back_as_it_was(backend: &Backend) {
    let odd = NewCapability {
        by: viewer("local.default", "ann 'o' \"x\" \u{1F980}"),
        code: "const a = `${1}`;\r\n\t// ü \u{0} '; DROP TABLE workflow_pattern; --\n".to_owned(),
        intent: String::new(),
        parameters: json!({
            "type": "object",
            "properties": {"z": {"default": 1.5e300}, "a": {"default": null}},
            "x": [u64::MAX, i64::MIN, "\u{0}"]
        }),
        calls: vec![
            "b.b".to_owned(),
            "a.a".to_owned(),
            "b.b".to_owned(),
            String::new(),
        ],
        ..new("a")
    };
    let made = backend.open().register(odd.clone()).await.unwrap();
    assert_eq!(made.pattern.code, odd.code);
    assert_eq!(made.pattern.intent, odd.intent);
    assert_eq!(made.pattern.calls, odd.calls);
    assert_eq!(made.record.owner, odd.by.user);
    // The order of fields too.
    assert_eq!(
        made.pattern.parameters.to_string(),
        odd.parameters.to_string()
    );
    let found = known(&*backend.open(), &odd.by, &odd.hash).await;
    assert_eq!(found, Some(made));
}

pub(crate) async fn a_bad_namespace_is_refused(backend: &Backend) {
    let store = backend.open();
    for namespace in ["", "a.b", "ü", &"n".repeat(300)] {
        let bad = NewCapability {
            namespace: namespace.to_owned(),
            ..new("a")
        };
        let error = store.register(bad).await.unwrap_err();
        assert!(matches!(error, StoreError::Refused(_)), "{error}");
    }
    assert_eq!(known(&*store, &ann(), &hash("a")).await, None);
}

pub(crate) async fn parameters_that_are_too_deep_are_refused(backend: &Backend) {
    let deep = |levels: usize| (0..levels).fold(Value::Null, |inner, _| json!([inner]));
    let store = backend.open();
    let with = |parameters: Value| NewCapability {
        parameters,
        ..new("a")
    };
    let error = store.register(with(deep(500))).await.unwrap_err();
    assert!(matches!(error, StoreError::Refused(_)), "{error}");
    let made = store.register(with(deep(100))).await.unwrap();
    assert_eq!(made.pattern.parameters, deep(100));
}

pub(crate) async fn what_is_not_there_cannot_be_used(backend: &Backend) {
    let store = backend.open();
    let missing = fqdn("local.default.issue.exec_a.b");
    let one = used(true, 1.0, 1);
    let error = store.record_use(&missing, one).await;
    assert_eq!(error, Err(StoreError::NotFound(missing.to_string())));
    let error = store.record_use_of_code(&ann(), &hash("a"), one).await;
    assert_eq!(error, Ok(None));
    assert!(
        listed(&*store, &ann(), CodeFilter::default())
            .await
            .is_empty()
    );
}

pub(crate) async fn an_empty_store_answers_nothing(backend: &Backend) {
    let store = backend.open();
    assert_eq!(meaning(&*store, &ann(), "x").await, Meaning::Nothing);
    assert!(
        listed(&*store, &ann(), CodeFilter::default())
            .await
            .is_empty()
    );
    let short = store.summaries(&ann(), &CodeFilter::default()).await;
    assert_eq!(short, Ok(vec![]));
    let traces = store.traces(&ann(), &TraceFilter::default()).await;
    assert_eq!(traces, Ok(vec![]));
    assert_eq!(store.trace(&ann(), "0").await, Ok(None));
    assert_eq!(store.known_tools("files", "x").await, Ok(None));
    let missing = fqdn("local.default.issue.exec_a.b");
    assert_eq!(edges_of(&*store, &ann(), &code(&missing)).await, []);
    let error = store.history(&missing).await;
    assert_eq!(error, Err(StoreError::NotFound(missing.to_string())));
}
