//! Generates the nodes and edges of the graph, at random but reproducibly.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Fqdn, Node, Scope};
use fastrand::Rng;

pub(crate) const NODES: usize = 100_000;
pub(crate) const EDGES: usize = 1_000_000;

/// Returns a node with a name as long as real ones. Every third node is code.
pub(crate) fn node(number: usize) -> Node {
    match number % 3 {
        0 => {
            let action = format!("exec_{number:08x}");
            Node::Code(Fqdn::new(&Scope::default(), "issue", &action, "a7f3"))
        }
        1 => Node::Named(format!("files:read_number_{number}")),
        _ => Node::Named(format!("domain{}.action_{number}", number % 50)),
    }
}

/// Returns the edges. Most lie within groups of fifty, some lead to a few popular nodes, some
/// anywhere.
pub(crate) fn edges() -> impl Iterator<Item = Edge> {
    let mut rng = Rng::with_seed(7);
    (0..EDGES).map(move |_| {
        let from = rng.usize(..NODES);
        let to = match rng.u8(..10) {
            0 => rng.usize(..NODES),
            1 | 2 => (rng.f64().powi(5) * NODES as f64) as usize,
            _ => from / 50 * 50 + rng.usize(..50),
        };
        edge(from, to.min(NODES - 1), &mut rng)
    })
}

pub(crate) fn edge(from: usize, to: usize, rng: &mut Rng) -> Edge {
    Edge {
        from: node(from),
        to: node(to),
        kind: EdgeKind::ALL[rng.usize(..4)],
        source: [EdgeSource::Inferred, EdgeSource::Observed][rng.usize(..2)],
        observed: rng.u64(1..20),
        created_at: 0,
        last_observed: 0,
    }
}
