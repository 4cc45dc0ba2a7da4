//! What contains itself: it is allowed, and told.

use capstan_core::code::{EdgeKind, EdgeSource, Node};
use capstan_core::port::{Added, Store};

use super::*;

/// Each contains the next; the last is told.
async fn chain(store: &dyn Store, nodes: &[&Node], kind: EdgeKind) -> Added {
    let mut last = None;
    for pair in nodes.windows(2) {
        let ends = (pair[0], pair[1]);
        last = Some(state(store, &ann(), ends, kind, EdgeSource::Manual).await);
    }
    last.unwrap()
}

pub(crate) async fn of_any_length_are_told(backend: &Backend) {
    let store = backend.open();
    for length in [2, 3, 5, 40] {
        let mut nodes = Vec::new();
        for number in 0..length {
            let name = format!("{length:02}.of{number:02}");
            nodes.push(match number % 2 {
                0 => card(&name),
                _ => {
                    let made = store
                        .register(new(&format!("{length:02}{number:02}")))
                        .await;
                    code(&made.unwrap().record.fqdn)
                }
            });
        }
        // Something else hangs on each of them.
        for node in &nodes {
            let leaf = card("leaf");
            let ends = (node, &leaf);
            state(
                &*store,
                &ann(),
                ends,
                EdgeKind::Contains,
                EdgeSource::Manual,
            )
            .await;
        }
        let all: Vec<_> = nodes.iter().collect();
        assert_eq!(chain(&*store, &all, EdgeKind::Contains).await.cycle, None);
        let [first, .., last] = &all[..] else {
            unreachable!()
        };
        let closed = chain(&*store, &[last, first], EdgeKind::Contains).await;
        let mut expected = vec![nodes[length - 1].clone()];
        expected.extend(nodes.clone());
        assert_eq!(closed.cycle, Some(expected));
        // It is there all the same.
        assert_eq!(
            store.edge(&ann(), last, first).await.unwrap().unwrap().0,
            closed.edge
        );
        // From wherever it is looked at, and each time that it is said.
        let again = chain(&*store, &all[..2], EdgeKind::Contains).await;
        let mut expected = nodes.clone();
        expected.push(nodes[0].clone());
        assert_eq!(again.cycle, Some(expected));
    }
}

pub(crate) async fn of_other_kinds_are_none(backend: &Backend) {
    let store = backend.open();
    let [a, b, c] = ["a", "b", "c"].map(card);
    for kind in [
        EdgeKind::Sequence,
        EdgeKind::Dependency,
        EdgeKind::Alternative,
    ] {
        assert_eq!(chain(&*store, &[&a, &b, &c, &a], kind).await.cycle, None);
        assert_eq!(chain(&*store, &[&b, &a], kind).await.cycle, None);
    }
    // One that is not of contents breaks it.
    assert_eq!(
        chain(&*store, &[&a, &b, &c], EdgeKind::Contains)
            .await
            .cycle,
        None
    );
    assert_eq!(
        chain(&*store, &[&c, &a], EdgeKind::Sequence).await.cycle,
        None
    );
    // What was another kind before closes it.
    let closed = chain(&*store, &[&c, &a], EdgeKind::Contains).await;
    assert_eq!(closed.replaced, Some(EdgeKind::Sequence));
    assert_eq!(
        closed.cycle,
        Some([&c, &a, &b, &c].map(Node::clone).to_vec())
    );
}

pub(crate) async fn that_are_learned_are_told_once(backend: &Backend) {
    let store = backend.open();
    let [a, b, c] = ["a", "b", "c"].map(card);
    let contains = |from: &Node, to: &Node| seen(from, to, EdgeKind::Contains, 1);
    let first = learn(&*store, &ann(), 1, vec![contains(&a, &b), contains(&b, &c)]).await;
    assert_eq!((first.changed, first.cycles), (2, vec![]));
    let closed = learn(&*store, &ann(), 2, vec![contains(&c, &a)]).await;
    let cycle = [&c, &a, &b, &c].map(Node::clone).to_vec();
    assert_eq!((closed.changed, closed.cycles), (1, vec![cycle]));
    let again = learn(&*store, &ann(), 3, vec![contains(&c, &a), contains(&a, &b)]).await;
    assert_eq!((again.changed, again.cycles), (2, vec![]));
    // Both of one trace.
    let [d, e] = ["d", "e"].map(card);
    let both = learn(&*store, &ann(), 4, vec![contains(&d, &e), contains(&e, &d)]).await;
    assert_eq!(both.cycles, [[&e, &d, &e].map(Node::clone).to_vec()]);
}

/// Nobody learns from a warning what others keep for themselves.
pub(crate) async fn through_what_is_hidden_are_not_told(backend: &Backend) {
    let store = backend.open();
    let his = store.register(new_by(&bob(), "a")).await.unwrap();
    let his = code(&his.record.fqdn);
    let [a, b] = ["a", "b"].map(card);
    for ends in [(&a, &his), (&his, &b)] {
        state(
            &*store,
            &bob(),
            ends,
            EdgeKind::Contains,
            EdgeSource::Manual,
        )
        .await;
    }
    let kind = EdgeKind::Contains;
    let hers = state(&*store, &ann(), (&b, &a), kind, EdgeSource::Manual).await;
    assert_eq!(hers.cycle, None);
    let seen_by_him = state(&*store, &bob(), (&b, &a), kind, EdgeSource::Manual).await;
    let cycle = [&b, &a, &his, &b].map(Node::clone).to_vec();
    assert_eq!(seen_by_him.cycle, Some(cycle));
}
