//! Tests of the graph in pages.

use capstan_core::code::EdgeKind::{Contains, Dependency, Sequence};
use capstan_core::code::EdgeSource::{Inferred, Manual};
use capstan_graph::{Filter, Graph, NodeKind, Page, Snapshot};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::samples::{any_edge, between, code, edge, graph, named};

fn pages(graph: &Graph, filter: &Filter, edges: usize) -> Vec<Snapshot> {
    let mut pages = Vec::new();
    let mut after = None;
    loop {
        let page = graph.snapshot(filter, &Page { edges, after });
        // In the form in which callers pass it back.
        after = page.next.as_ref().map(|it| it.to_string().parse().unwrap());
        pages.push(page);
        if after.is_none() {
            return pages;
        }
    }
}

proptest! {
    #[test]
    fn pages_make_up_the_whole(edges in vec(any_edge(), 0..60), size in 1..9_usize) {
        let graph = graph(&edges);
        let whole = graph.snapshot(&Filter::default(), &Page { edges: usize::MAX, after: None });
        prop_assert_eq!(whole.edges.len(), graph.edge_count());
        prop_assert_eq!(whole.nodes.len(), graph.node_count());
        let pages = pages(&graph, &Filter::default(), size);
        let together: Vec<_> = pages.iter().flat_map(|page| page.edges.clone()).collect();
        prop_assert_eq!(&together, &whole.edges);
        for page in pages {
            prop_assert_eq!((page.total_nodes, page.total_edges), (whole.nodes.len(), whole.edges.len()));
            prop_assert!(page.edges.len() <= size);
            prop_assert!(page.nodes.is_sorted_by(|one, two| one.node < two.node));
            for edge in &page.edges {
                for end in [&edge.from, &edge.to] {
                    prop_assert!(page.nodes.iter().any(|it| it.node == *end));
                }
            }
        }
    }

    #[test]
    fn a_cursor_outlives_changes(edges in vec(any_edge(), 1..40), gone in any::<prop::sample::Index>()) {
        let mut graph = graph(&edges);
        let first = graph.snapshot(&Filter::default(), &Page { edges: 3, after: None });
        let node = &gone.get(&edges).from;
        graph.remove_node(node);
        let rest = graph.snapshot(&Filter::default(), &Page { edges: usize::MAX, after: first.next.clone() });
        let last = first.next.as_ref().and(first.edges.last());
        for edge in &rest.edges {
            prop_assert!(last.is_none_or(|last| (&edge.from, &edge.to) > (&last.from, &last.to)));
        }
        let seen = first.edges.iter().filter(|it| it.from != *node && it.to != *node).count();
        if last.is_some() {
            prop_assert_eq!(seen + rest.edges.len(), graph.edge_count());
        }
    }
}

#[test]
fn filters_choose_edges_and_their_ends() {
    let graph = graph(&[
        edge("issue.view", Dependency, Manual, "issue.list"),
        edge("issue.view", Sequence, Inferred, "repo.view"),
        between(code("x"), Contains, Inferred, named("issue.view")),
        between(code("x"), Contains, Manual, code("y")),
    ]);
    let shown = |filter: Filter| {
        let all = graph.snapshot(&filter, &Page::default());
        assert_eq!(
            (all.total_nodes, all.total_edges),
            (all.nodes.len(), all.edges.len())
        );
        let edges = all.edges.iter();
        edges
            .map(|it| format!("{}-{}", it.from, it.to))
            .collect::<Vec<_>>()
    };
    let (x, y) = (code("x").to_string(), code("y").to_string());
    let kinds = Filter {
        kinds: vec![Sequence, Dependency],
        ..Filter::default()
    };
    assert_eq!(
        shown(kinds),
        ["issue.view-issue.list", "issue.view-repo.view"]
    );
    let sources = Filter {
        sources: vec![Inferred],
        ..Filter::default()
    };
    assert_eq!(
        shown(sources),
        [format!("{x}-issue.view"), "issue.view-repo.view".to_owned()]
    );
    let sure = Filter {
        min_confidence: Some(0.8),
        ..Filter::default()
    };
    assert_eq!(
        shown(sure),
        [format!("{x}-{y}"), "issue.view-issue.list".to_owned()]
    );
    let prefix = Filter {
        prefix: Some("issue.".to_owned()),
        ..Filter::default()
    };
    assert_eq!(shown(prefix), ["issue.view-issue.list"]);
    let of_code = Filter {
        nodes: Some(NodeKind::Code),
        ..Filter::default()
    };
    assert_eq!(shown(of_code), [format!("{x}-{y}")]);
    let nothing = Filter {
        min_confidence: Some(2.0),
        ..Filter::default()
    };
    assert_eq!(shown(nothing), Vec::<String>::new());
}
