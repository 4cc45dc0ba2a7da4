//! Changes to code and relations, for callers who hold a copy.

use capstan_core::code::{EdgeKind, EdgeSource, Fqdn, Visibility};
use capstan_core::port::{CodeFilter, Store, Viewer};

use super::edges::with_three;
use super::*;

/// Asks for changes repeatedly.
struct ChangeReader {
    viewer: Viewer,
    since: u64,
}

impl ChangeReader {
    fn new(viewer: Viewer) -> Self {
        Self { viewer, since: 0 }
    }

    /// Returns the names of changed code, and of deleted code.
    async fn code(&mut self, store: &dyn Store) -> (Vec<Fqdn>, Vec<Fqdn>) {
        let changed = store.changed_code(&self.viewer, self.since).await.unwrap();
        let all = store.summaries(&self.viewer, &CodeFilter::default()).await;
        let all = all.unwrap();
        assert!(changed.there.iter().all(|it| all.contains(it)));
        assert!(changed.now >= self.since);
        self.since = changed.now;
        let there = changed.there.into_iter().map(|it| it.record.fqdn);
        (there.collect(), changed.gone)
    }

    /// Returns the ends of changed relations, and of deleted ones.
    async fn edges(&mut self, store: &dyn Store) -> (Vec<[String; 2]>, Vec<[String; 2]>) {
        let changed = store.changed_edges(&self.viewer, self.since).await.unwrap();
        let all = store.all_edges(&self.viewer, None).await.unwrap();
        assert!(changed.there.iter().all(|it| all.contains(it)));
        assert!(changed.now >= self.since);
        self.since = changed.now;
        let there = changed.there.iter();
        let there = there.map(|it| [it.from.to_string(), it.to.to_string()]);
        let gone = changed.gone.into_iter().map(|(from, to)| [from, to]);
        (there.collect(), gone.collect())
    }
}

pub(crate) async fn of_nothing_are_none(backend: &Backend) {
    let store = backend.open();
    let (mut code, mut edges) = (ChangeReader::new(ann()), ChangeReader::new(ann()));
    for _ in 0..2 {
        assert_eq!(code.code(&*store).await, (vec![], vec![]));
        assert_eq!(edges.edges(&*store).await, (vec![], vec![]));
    }
    store.register(new("a")).await.unwrap();
    assert_eq!(code.code(&*store).await.0.len(), 1);
    assert_eq!(edges.edges(&*store).await, (vec![], vec![]));
}

/// Everything that changes a summary is listed, and nothing else.
pub(crate) async fn of_code_are_told(backend: &Backend) {
    let store = backend.open();
    let a = named(&*store, new("a"), "one").await.record.fqdn;
    let b = named(&*store, new("b"), "two").await.record.fqdn;
    let mut asking = ChangeReader::new(ann());
    // The first answer lists everything, sorted by name.
    assert_eq!(
        asking.code(&*store).await,
        (vec![a.clone(), b.clone()], vec![])
    );
    assert_eq!(asking.code(&*store).await, (vec![], vec![]));
    let only = |fqdn: &Fqdn| (vec![fqdn.clone()], vec![]);

    store.rename(&a, &name("uno"), 1).await.unwrap();
    assert_eq!(asking.code(&*store).await, only(&a));
    store.add_alias(&b, &name("dos"), 1).await.unwrap();
    assert_eq!(asking.code(&*store).await, only(&b));
    store.record_use(&a, used(true, 1.0, 1)).await.unwrap();
    assert_eq!(asking.code(&*store).await, only(&a));
    store.register(new("b")).await.unwrap();
    assert_eq!(asking.code(&*store).await, only(&b));
    let failed = used(false, 1.0, 1);
    let again = store.record_use_of_code(&ann(), &hash("a"), failed).await;
    assert!(again.unwrap().is_some());
    assert_eq!(asking.code(&*store).await, only(&a));
    store.set_visibility(&a, Visibility::Org, 1).await.unwrap();
    assert_eq!(asking.code(&*store).await, only(&a));
    let imported = store.import(&ann(), vec![exported("c", "three")], 1).await;
    let c = imported.unwrap().remove(0).fqdn;
    assert_eq!(asking.code(&*store).await, only(&c));
    store.merge(&a, &b, 1).await.unwrap();
    assert_eq!(
        asking.code(&*store).await,
        (vec![b.clone()], vec![a.clone()])
    );
    store.delete(&c).await.unwrap();
    assert_eq!(asking.code(&*store).await, (vec![], vec![c.clone()]));
    // Deleted code is registered again.
    store.register(new("a")).await.unwrap();
    assert_eq!(asking.code(&*store).await, only(&a));

    // Changes without an effect, and changes to something else.
    store.rename(&b, &name("two"), 1).await.unwrap();
    store
        .set_visibility(&b, Visibility::Private, 1)
        .await
        .unwrap();
    store.add_trace(&ann(), trace(1, &[])).await.unwrap();
    store.relate(&ann(), &b, vec![], 1).await.unwrap();
    let ends = [code(&a), code(&b)];
    let kind = EdgeKind::Contains;
    state(
        &*store,
        &ann(),
        (&ends[0], &ends[1]),
        kind,
        EdgeSource::Manual,
    )
    .await;
    assert_eq!(asking.code(&*store).await, (vec![], vec![]));
    // A new caller gets the full list.
    let mut late = ChangeReader::new(ann());
    assert_eq!(late.code(&*store).await, (vec![b, a], vec![]));
}

pub(crate) async fn of_relations_are_told(backend: &Backend) {
    let (store, [a, b, c]) = with_three(backend).await;
    let view = card("issue.view");
    let mut asking = ChangeReader::new(ann());
    assert_eq!(asking.edges(&*store).await, (vec![], vec![]));
    let ends = |from: &capstan_core::code::Node, to: &capstan_core::code::Node| {
        [from.to_string(), to.to_string()]
    };
    let (of_code, of_card) = (ends(&a, &b), ends(&a, &view));
    let kind = EdgeKind::Contains;
    for (from, to) in [(&a, &view), (&a, &b)] {
        state(&*store, &ann(), (from, to), kind, EdgeSource::Inferred).await;
    }
    let both = vec![of_card.clone(), of_code.clone()];
    let mut sorted = both.clone();
    sorted.sort();
    assert_eq!(asking.edges(&*store).await, (sorted.clone(), vec![]));
    assert_eq!(asking.edges(&*store).await, (vec![], vec![]));

    store.observe_edge(&ann(), &a, &b, 1, 1).await.unwrap();
    assert_eq!(asking.edges(&*store).await, (vec![of_code.clone()], vec![]));
    learn(&*store, &ann(), 1, vec![seen(&a, &view, kind, 1)]).await;
    assert_eq!(asking.edges(&*store).await, (vec![of_card.clone()], vec![]));
    store.remove_edge(&ann(), &a, &view).await.unwrap();
    assert_eq!(asking.edges(&*store).await, (vec![], vec![of_card.clone()]));
    state(&*store, &ann(), (&a, &view), kind, EdgeSource::Inferred).await;
    store.remove_edge(&ann(), &a, &b).await.unwrap();
    let changed = (vec![of_card.clone()], vec![of_code.clone()]);
    assert_eq!(asking.edges(&*store).await, changed);
    // None of these changes a relation.
    store.observe_edge(&ann(), &a, &view, 0, 1).await.unwrap();
    state(&*store, &ann(), (&a, &view), kind, EdgeSource::Template).await;
    store
        .rename(a.code().unwrap(), &name("x"), 1)
        .await
        .unwrap();
    store.prune_traces(&ann(), 0).await.unwrap();
    assert_eq!(asking.edges(&*store).await, (vec![], vec![]));

    // The declaration is left.
    assert_eq!(store.forget_learned(&ann(), None).await, Ok(1));
    assert_eq!(asking.edges(&*store).await, (vec![of_card.clone()], vec![]));
    store.remove_edge(&ann(), &a, &view).await.unwrap();
    assert_eq!(asking.edges(&*store).await, (vec![], vec![of_card.clone()]));
    // Relations change when code is merged or deleted.
    state(&*store, &ann(), (&a, &view), kind, EdgeSource::Inferred).await;
    state(&*store, &ann(), (&b, &c), kind, EdgeSource::Inferred).await;
    asking.edges(&*store).await;
    store
        .merge(a.code().unwrap(), b.code().unwrap(), 1)
        .await
        .unwrap();
    let moved = (vec![ends(&b, &view)], vec![of_card]);
    assert_eq!(asking.edges(&*store).await, moved);
    store.delete(b.code().unwrap()).await.unwrap();
    let (there, mut gone) = asking.edges(&*store).await;
    gone.sort();
    assert_eq!(there, [] as [[String; 2]; 0]);
    let mut expected = [ends(&b, &c), ends(&b, &view)];
    expected.sort();
    assert_eq!(gone, expected);
}

/// Viewers learn of something when it becomes visible to them, and that it is gone when it becomes
/// hidden. They learn nothing about what they could never see.
pub(crate) async fn are_told_to_those_who_see_it(backend: &Backend) {
    let store = backend.open();
    let (mut hers, mut her_edges) = (ChangeReader::new(ann()), ChangeReader::new(ann()));
    let (mut fars, mut far_edges) = {
        let far = viewer("acme.web", "ann");
        (ChangeReader::new(far.clone()), ChangeReader::new(far))
    };
    for asking in [&mut hers, &mut fars] {
        store.register(new_by(&asking.viewer, "0")).await.unwrap();
        asking.code(&*store).await;
    }
    for asking in [&mut her_edges, &mut far_edges] {
        asking.edges(&*store).await;
    }
    let nothing = || (Vec::<Fqdn>::new(), Vec::<Fqdn>::new());
    let no_edges = || (Vec::<[String; 2]>::new(), Vec::<[String; 2]>::new());

    let made = store.register(new_by(&bob(), "a")).await.unwrap();
    let his = made.record.fqdn;
    let (of_his, view) = (code(&his), card("issue.view"));
    let ends = [his.to_string(), view.to_string()];
    state(
        &*store,
        &bob(),
        (&of_his, &view),
        EdgeKind::Contains,
        EdgeSource::Manual,
    )
    .await;
    store.rename(&his, &name("secret"), 1).await.unwrap();
    store
        .observe_edge(&bob(), &of_his, &view, 1, 1)
        .await
        .unwrap();
    assert_eq!(hers.code(&*store).await, nothing());
    assert_eq!(her_edges.edges(&*store).await, no_edges());

    store
        .set_visibility(&his, Visibility::Project, 1)
        .await
        .unwrap();
    assert_eq!(hers.code(&*store).await, (vec![his.clone()], vec![]));
    assert_eq!(her_edges.edges(&*store).await, (vec![ends.clone()], vec![]));
    assert_eq!(fars.code(&*store).await, nothing());
    assert_eq!(far_edges.edges(&*store).await, no_edges());

    store
        .set_visibility(&his, Visibility::Private, 1)
        .await
        .unwrap();
    assert_eq!(hers.code(&*store).await, (vec![], vec![his.clone()]));
    assert_eq!(her_edges.edges(&*store).await, (vec![], vec![ends.clone()]));

    // It is public for a moment, and deleted before anybody asks again.
    store
        .set_visibility(&his, Visibility::Public, 1)
        .await
        .unwrap();
    assert_eq!(fars.code(&*store).await, (vec![his.clone()], vec![]));
    assert_eq!(far_edges.edges(&*store).await, (vec![ends.clone()], vec![]));
    store
        .set_visibility(&his, Visibility::Private, 1)
        .await
        .unwrap();
    store
        .observe_edge(&bob(), &of_his, &view, 1, 1)
        .await
        .unwrap();
    store.delete(&his).await.unwrap();
    for asking in [&mut hers, &mut fars] {
        assert_eq!(asking.code(&*store).await, (vec![], vec![his.clone()]));
    }
    for asking in [&mut her_edges, &mut far_edges] {
        assert_eq!(asking.edges(&*store).await, (vec![], vec![ends.clone()]));
    }

    // Code that nobody else could see is deleted without a change for others.
    let other = store.register(new_by(&bob(), "b")).await.unwrap();
    let other = other.record.fqdn;
    let of_other = code(&other);
    state(
        &*store,
        &bob(),
        (&of_other, &view),
        EdgeKind::Contains,
        EdgeSource::Manual,
    )
    .await;
    store.delete(&other).await.unwrap();
    assert_eq!(hers.code(&*store).await, nothing());
    assert_eq!(her_edges.edges(&*store).await, no_edges());
}

/// Another user may write the same code after it was deleted.
pub(crate) async fn are_told_when_a_name_becomes_anothers(backend: &Backend) {
    let store = backend.open();
    let (mut hers, mut his) = (ChangeReader::new(ann()), ChangeReader::new(bob()));
    let a = store.register(new("a")).await.unwrap().record.fqdn;
    assert_eq!(hers.code(&*store).await.0, vec![a.clone()]);
    assert_eq!(his.code(&*store).await.0, [] as [Fqdn; 0]);
    store.delete(&a).await.unwrap();
    let again = store.register(new_by(&bob(), "a")).await.unwrap();
    assert_eq!(again.record.fqdn, a);
    assert_eq!(hers.code(&*store).await, (vec![], vec![a.clone()]));
    assert_eq!(his.code(&*store).await, (vec![a.clone()], vec![]));
}
