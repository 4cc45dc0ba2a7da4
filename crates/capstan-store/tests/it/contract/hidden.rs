//! Relations of what is private to others: they are not there.

use capstan_core::code::{EdgeKind, EdgeSource, Visibility};
use capstan_core::port::{Direction, StoreError};

use super::edges::with_three;
use super::*;

pub(crate) async fn are_not_seen_counted_or_changed(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    let his = store.register(new_by(&bob(), "d")).await.unwrap();
    let his_fqdn = &his.record.fqdn;
    let his = code(his_fqdn);
    let view = card("issue.view");
    let kind = EdgeKind::Contains;
    for fqdn in [&a, &b].map(|it| it.code().unwrap()) {
        store
            .set_visibility(fqdn, Visibility::Project, 1)
            .await
            .unwrap();
    }
    // His with hers, and his with what everybody sees; and what everybody sees.
    for (from, to) in [
        (&his, &a),
        (&b, &his),
        (&his, &view),
        (&view, &his),
        (&a, &view),
    ] {
        state(&*store, &bob(), (from, to), kind, EdgeSource::Inferred).await;
    }
    let his_edges = edges_of(&*store, &bob(), &his).await;
    assert_eq!(his_edges.len(), 4);

    // He may be called by his name, or as if he were a card.
    for hidden in [&his, &card(his.as_str())] {
        for direction in [Direction::From, Direction::To, Direction::Both] {
            let found = store.edges(&ann(), hidden, direction).await;
            assert_eq!(found, Ok(vec![]));
        }
        assert_eq!(store.count_edges(&ann(), hidden).await, Ok(0));
        assert_eq!(store.forget_learned(&ann(), Some(hidden)).await, Ok(0));
        for (from, to) in [(hidden, &a), (&a, hidden), (hidden, &view), (&view, hidden)] {
            assert_eq!(store.edge(&ann(), from, to).await, Ok(None));
            let missing = StoreError::NotFound(his.to_string());
            let new = edge(from, to, kind, EdgeSource::Manual);
            assert_eq!(store.add_edge(&ann(), new).await, Err(missing.clone()));
            let seen = store.observe_edge(&ann(), from, to, 1, 1).await;
            assert_eq!(seen, Err(missing));
            let what = StoreError::NotFound(format!("{from} → {to}"));
            assert_eq!(store.remove_edge(&ann(), from, to).await, Err(what));
        }
    }
    for (node, number) in [(&a, 1), (&b, 0), (&view, 1)] {
        assert_eq!(edges_of(&*store, &ann(), node).await.len(), number);
        assert_eq!(store.count_edges(&ann(), node).await, Ok(number as u64));
    }
    assert_eq!(store.all_edges(&ann(), None).await.unwrap().len(), 1);
    assert_eq!(store.forget_learned(&ann(), None).await, Ok(1));
    assert_eq!(edges_of(&*store, &bob(), &his).await, his_edges);

    // When he shares it, all is there; when he does not any more, it is gone again.
    store
        .set_visibility(his_fqdn, Visibility::Project, 1)
        .await
        .unwrap();
    assert_eq!(edges_of(&*store, &ann(), &his).await, his_edges);
    assert_eq!(store.count_edges(&ann(), &his).await, Ok(4));
    assert_eq!(store.all_edges(&ann(), None).await.unwrap().len(), 4);
    assert!(store.edge(&ann(), &his, &a).await.unwrap().is_some());
    store
        .set_visibility(his_fqdn, Visibility::Private, 1)
        .await
        .unwrap();
    assert_eq!(store.all_edges(&ann(), None).await, Ok(vec![]));
    assert_eq!(store.all_edges(&bob(), None).await.unwrap().len(), 4);
}

/// As far as code is shared, so far are its relations seen.
pub(crate) async fn are_seen_as_far_as_both_ends(backend: &Backend) {
    let store = backend.open();
    let mut ends = Vec::new();
    for beginning in ["a", "b"] {
        ends.push(store.register(new(beginning)).await.unwrap().record.fqdn);
    }
    let [a, b] = [&ends[0], &ends[1]].map(code);
    state(
        &*store,
        &ann(),
        (&a, &b),
        EdgeKind::Contains,
        EdgeSource::Manual,
    )
    .await;
    let viewers = [
        (ann(), Visibility::Private),
        (bob(), Visibility::Project),
        (viewer("local.other", "ann"), Visibility::Org),
        (viewer("acme.web", "ann"), Visibility::Public),
    ];
    for from in Visibility::ALL {
        for to in Visibility::ALL {
            store.set_visibility(&ends[0], from, 1).await.unwrap();
            store.set_visibility(&ends[1], to, 1).await.unwrap();
            for (who, needed) in &viewers {
                let seen = from >= *needed && to >= *needed;
                let found = store.all_edges(who, None).await.unwrap();
                assert_eq!(found.len(), usize::from(seen), "{who:?} {from} {to}");
                assert_eq!(edges_of(&*store, who, &a).await, found);
                assert_eq!(store.count_edges(who, &b).await, Ok(u64::from(seen)));
            }
        }
    }
}

/// What reads like code and is code is code, whoever says it.
pub(crate) async fn a_name_of_code_means_the_code(backend: &Backend) {
    let (store, [a, b, _]) = with_three(backend).await;
    let [a_name, b_name] = [&a, &b].map(|it| card(it.as_str()));
    let kind = EdgeKind::Sequence;
    let named = state(
        &*store,
        &ann(),
        (&a_name, &b_name),
        kind,
        EdgeSource::Manual,
    )
    .await;
    assert_eq!((&named.edge.from, &named.edge.to), (&a, &b));
    let meant = state(&*store, &ann(), (&a, &b), kind, EdgeSource::Manual).await;
    assert_eq!(meant.edge.observed, 2);
    learn(&*store, &ann(), 1, vec![seen(&a_name, &b, kind, 1)]).await;
    let found = store.all_edges(&ann(), None).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0].from, found[0].observed), (&a, 3));
    let itself = edge(&a_name, &a, kind, EdgeSource::Manual);
    let error = store.add_edge(&ann(), itself).await.unwrap_err();
    assert!(matches!(error, StoreError::Refused(_)), "{error}");
    store.remove_edge(&ann(), &a_name, &b_name).await.unwrap();
    assert_eq!(store.all_edges(&ann(), None).await, Ok(vec![]));
}
