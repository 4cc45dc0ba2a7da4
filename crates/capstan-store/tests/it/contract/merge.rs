//! Two records become one.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, EventKind, Fqdn, Node, Visibility};
use capstan_core::port::{NewCapability, StoreError, Via};

use super::*;

pub(crate) async fn sums_and_moves_everything(backend: &Backend) {
    let store = backend.open();
    let from = named(&*store, new("a"), "one").await.record.fqdn;
    store.add_alias(&from, &name("uno"), 1).await.unwrap();
    store
        .record_use(&from, used(false, 40.0, 5000))
        .await
        .unwrap();
    let second = NewCapability {
        used: used(true, 100.0, 4000),
        ..new("b")
    };
    let into = named(&*store, second, "two").await.record.fqdn;

    let merged = store.merge(&from, &into, 9000).await.unwrap();
    assert_eq!(merged.record.fqdn, into);
    assert_eq!(merged.record.name, name("two"));
    let aliases = ["unnamed_a0000000", "one", "uno", "unnamed_b0000000"].map(name);
    assert_eq!(merged.record.aliases, aliases);
    let statistics = merged.record.statistics;
    assert_eq!(statistics.usage_count, 3);
    assert_eq!(statistics.success_count, 2);
    assert_eq!(statistics.mean_latency_ms, 50.0);
    assert_eq!(statistics.last_used_at, Some(5000));
    assert_eq!(merged.record.updated_at, 9000);
    assert_eq!(merged.pattern.hash, hash("b"));

    let found = meaning(&*store, &ann(), "one").await;
    assert_eq!(
        found,
        Meaning::One(into.clone(), Via::Alias("one".to_owned()))
    );
    assert_eq!(known(&*store, &ann(), &hash("a")).await, None);
    assert_eq!(
        meaning(&*store, &ann(), from.as_str()).await,
        Meaning::Nothing
    );
    assert_eq!(
        meaning(&*store, &ann(), "exec_a0000000").await,
        Meaning::Nothing
    );
    let events = store.history(&into).await.unwrap();
    let last = events.last().unwrap();
    assert_eq!((last.at, last.kind), (9000, EventKind::Merged));
    assert_eq!(last.what, "one → two");
}

pub(crate) async fn moves_edges(backend: &Backend) {
    let store = backend.open();
    let mut names = Vec::new();
    for beginning in ["a", "b", "c", "d"] {
        let made = store.register(new(beginning)).await.unwrap();
        names.push(code(&made.record.fqdn));
    }
    let [a, b, c, d] = &names[..] else {
        unreachable!()
    };
    for (from, to, kind, times) in [
        (a, b, EdgeKind::Contains, 1),
        (b, a, EdgeKind::Contains, 1),
        (a, c, EdgeKind::Sequence, 1),
        (b, c, EdgeKind::Dependency, 2),
        (d, a, EdgeKind::Alternative, 1),
    ] {
        for _ in 0..times {
            store
                .add_edge(&ann(), edge(from, to, kind, EdgeSource::Inferred))
                .await
                .unwrap();
        }
    }
    let [from, into] = [a, b].map(|it| it.code().unwrap());
    store.merge(from, into, 1).await.unwrap();
    let expected = |from: &Node, to: &Node, kind: EdgeKind, source, observed| Edge {
        from: from.clone(),
        to: to.clone(),
        kind,
        source,
        observed,
        created_at: 1000,
        last_observed: 1000,
    };
    assert_eq!(
        edges_of(&*store, &ann(), b).await,
        [
            // Once and twice is three times.
            expected(b, c, EdgeKind::Dependency, EdgeSource::Observed, 3),
            expected(d, b, EdgeKind::Alternative, EdgeSource::Inferred, 1),
        ]
    );
    assert_eq!(edges_of(&*store, &ann(), a).await, []);
}

/// Of both tables, and what was learned: from what each of the two showed, and from what showed both.
pub(crate) async fn moves_what_was_learned(backend: &Backend) {
    let store = backend.open();
    let mut names = Vec::new();
    for beginning in ["a", "b", "c"] {
        let made = store.register(new(beginning)).await.unwrap();
        names.push(code(&made.record.fqdn));
    }
    let [a, b, c] = &names[..] else {
        unreachable!()
    };
    let view = card("issue.view");
    let (contains, sequence) = (EdgeKind::Contains, EdgeKind::Sequence);
    let of_first = vec![
        seen(a, &view, contains, 1),
        seen(&view, a, sequence, 1),
        seen(a, c, sequence, 1),
        seen(a, b, contains, 1),
        seen(b, &view, contains, 2),
    ];
    let of_second = vec![seen(a, &view, sequence, 1), seen(b, c, contains, 4)];
    learn(&*store, &ann(), 1, of_first).await;
    learn(&*store, &ann(), 2, of_second).await;
    let shared = vec![seen(a, c, EdgeKind::Alternative, 1)];
    store
        .relate(&ann(), a.code().unwrap(), shared, 3)
        .await
        .unwrap();

    let [from, into] = [a, b].map(|it| it.code().unwrap());
    store.merge(from, into, 1).await.unwrap();
    assert_eq!(edges_of(&*store, &ann(), a).await, []);
    let why = async |from: &Node, to: &Node| {
        let (edge, why) = store.edge(&ann(), from, to).await.unwrap().unwrap();
        let total: u64 = why.iter().map(|it| it.times).sum();
        assert_eq!(edge.observed, total);
        let why = why.into_iter().map(|it| (it.at, it.kind, it.times));
        (edge.source, why.collect::<Vec<_>>())
    };
    assert_eq!(
        why(b, &view).await,
        (
            EdgeSource::Observed,
            vec![(2, sequence, 1), (1, contains, 3)]
        )
    );
    assert_eq!(
        why(&view, b).await,
        (EdgeSource::Inferred, vec![(1, sequence, 1)])
    );
    assert_eq!(
        why(b, c).await,
        (
            EdgeSource::Observed,
            vec![
                (2, contains, 4),
                (1, sequence, 1),
                (3, EdgeKind::Alternative, 1)
            ]
        )
    );
    assert_eq!(store.count_edges(&ann(), b).await, Ok(3));
    // They go with their traces as before.
    store.prune_traces(&ann(), 0).await.unwrap();
    let (edge, why) = store.edge(&ann(), b, &view).await.unwrap().unwrap();
    assert_eq!((edge.observed, why), (4, vec![]));
}

pub(crate) async fn leaves_the_same_code_elsewhere_alone(backend: &Backend) {
    let store = backend.open();
    let mut names = Vec::new();
    for who in [ann(), bob(), viewer("acme.web", "ann")] {
        let mut own = Vec::new();
        for beginning in ["a", "b", "c"] {
            let made = store.register(new_by(&who, beginning)).await.unwrap();
            own.push(code(&made.record.fqdn));
        }
        let new = edge(&own[0], &own[2], EdgeKind::Sequence, EdgeSource::Manual);
        store.add_edge(&who, new).await.unwrap();
        names.push((who, own));
    }
    let before = [
        known(&*store, &bob(), &hash("a")).await,
        known(&*store, &viewer("acme.web", "ann"), &hash("a")).await,
    ];
    let hers = &names[0].1;
    let [from, into] = [&hers[0], &hers[1]].map(|it| it.code().unwrap());
    store.merge(from, into, 1).await.unwrap();
    let moved = edges_of(&*store, &ann(), &hers[1]).await;
    assert_eq!(moved.len(), 1);
    assert_eq!((&moved[0].from, &moved[0].to), (&hers[1], &hers[2]));
    for (who, own) in &names[1..] {
        let stayed = edges_of(&*store, who, &own[0]).await;
        assert_eq!(stayed.len(), 1);
        assert_eq!((&stayed[0].from, &stayed[0].to), (&own[0], &own[2]));
    }
    let after = [
        known(&*store, &bob(), &hash("a")).await,
        known(&*store, &viewer("acme.web", "ann"), &hash("a")).await,
    ];
    assert!(before[0].is_some() && before[1].is_some());
    assert_eq!(after, before);
}

/// What two have of the same code for themselves can become one.
pub(crate) async fn joins_two_of_the_same_code(backend: &Backend) {
    let store = backend.open();
    let hers = store.register(new_by(&ann(), "a")).await.unwrap();
    let his = store.register(new_by(&bob(), "a")).await.unwrap();
    let (from, into) = (&his.record.fqdn, &hers.record.fqdn);
    let merged = store.merge(from, into, 1).await.unwrap();
    assert_eq!(merged.pattern, hers.pattern);
    assert_eq!(merged.record.owner, "ann");
    assert_eq!(merged.record.visibility, Visibility::Private);
    assert_eq!(merged.record.statistics.usage_count, 2);
    assert_eq!(merged.record.aliases, [his.record.name]);
    assert_eq!(known(&*store, &bob(), &hash("a")).await, None);
}

pub(crate) async fn what_differs_is_refused(backend: &Backend) {
    let store = backend.open();
    let one = named(&*store, calling("a", &["issue.view"]), "one").await;
    let two = named(&*store, calling("b", &["issue.view", "pr.list"]), "two").await;
    let none = named(&*store, calling("c", &[]), "none").await;
    let far = store.register(new_in("acme.web", "d")).await.unwrap();
    let missing = fqdn("local.default.issue.exec_a.b");

    let refusal =
        async |from: &Fqdn, into: &Fqdn| match store.merge(from, into, 1).await.unwrap_err() {
            StoreError::Refused(why) => why,
            other => panic!("{other}"),
        };
    let [a, b, c, d] = [&one, &two, &none, &far].map(|it| &it.record.fqdn);
    assert_eq!(
        refusal(a, b).await,
        "`one` calls `issue.view` but `two` calls `issue.view`, `pr.list`: \
         only capabilities that make the same calls can be merged"
    );
    assert!(refusal(c, a).await.contains("`none` calls nothing but"));
    assert!(refusal(a, a).await.contains("cannot be merged with itself"));
    assert!(refusal(a, d).await.contains("different scopes"));
    let not_found = StoreError::NotFound(missing.to_string());
    assert_eq!(store.merge(a, &missing, 1).await, Err(not_found.clone()));
    assert_eq!(store.merge(&missing, a, 1).await, Err(not_found));
    assert_eq!(known(&*store, &ann(), &hash("a")).await, Some(one));
}

pub(crate) async fn the_order_and_number_of_calls_do_not_matter(backend: &Backend) {
    let store = backend.open();
    let first = store
        .register(calling("a", &["x.y", "p.q", "x.y"]))
        .await
        .unwrap();
    let second = store.register(calling("b", &["p.q", "x.y"])).await.unwrap();
    let (from, into) = (&first.record.fqdn, &second.record.fqdn);
    let merged = store.merge(from, into, 1).await.unwrap();
    assert_eq!(merged.pattern, second.pattern);
}
