//! Tests of neighbours, paths, cycles and successors.

use capstan_core::code::Edge;
use capstan_core::code::EdgeKind::{self, Alternative, Contains, Dependency, Sequence};
use capstan_core::code::EdgeSource::{Inferred, Manual, Observed, Template};
use capstan_core::port::Direction;
use capstan_graph::{Around, Graph, Missing};

use crate::samples::{edge, graph, named};

fn sample() -> Graph {
    graph(&[
        edge("a", Dependency, Manual, "b"),
        edge("a", Sequence, Inferred, "c"),
        edge("a", Sequence, Inferred, "d"),
        edge("c", Contains, Observed, "e"),
        edge("b", Contains, Template, "e"),
        edge("e", Alternative, Observed, "f"),
        edge("z", Contains, Inferred, "a"),
    ])
}

fn around(graph: &Graph, node: &str, around: &Around<'_>) -> Vec<String> {
    let found = graph.neighbors(&named(node), around).unwrap();
    let shown = found.iter().map(|it| {
        format!(
            "{} {} by {}-{}",
            it.distance, it.node, it.via.from, it.via.to
        )
    });
    shown.collect()
}

#[test]
fn neighbours_come_by_distance_confidence_and_name() {
    let all = around(
        &sample(),
        "a",
        &Around {
            depth: 9,
            ..Around::default()
        },
    );
    assert_eq!(
        all,
        [
            "1 b by a-b",
            "1 z by z-a",
            "1 c by a-c",
            "1 d by a-d",
            "2 e by c-e",
            "3 f by e-f"
        ]
    );
}

#[test]
fn neighbours_are_limited_by_direction_kind_depth_and_number() {
    let graph = sample();
    let deep = Around {
        depth: 2,
        ..Around::default()
    };
    let from = Around {
        direction: Direction::From,
        ..deep.clone()
    };
    assert_eq!(around(&graph, "b", &from), ["1 e by b-e", "2 f by e-f"]);
    let to = Around {
        direction: Direction::To,
        ..deep.clone()
    };
    assert_eq!(around(&graph, "b", &to), ["1 a by a-b", "2 z by z-a"]);
    let kinds = Around {
        kinds: &[Contains],
        ..deep.clone()
    };
    assert_eq!(around(&graph, "b", &kinds), ["1 e by b-e", "2 c by c-e"]);
    let few = Around { limit: 2, ..deep };
    assert_eq!(around(&graph, "b", &few), ["1 a by a-b", "1 e by b-e"]);
    let none = Around {
        depth: 0,
        ..Around::default()
    };
    assert_eq!(around(&graph, "b", &none), Vec::<String>::new());
    let missing = graph.neighbors(&named("nobody"), &few).unwrap_err();
    assert_eq!(missing, Missing::Node(named("nobody")));
}

#[test]
fn a_path_prefers_what_is_sure() {
    let graph = graph(&[
        edge("a", Sequence, Inferred, "d"),
        edge("a", Dependency, Manual, "b"),
        edge("b", Dependency, Manual, "d"),
    ]);
    let path = graph.path(&named("a"), &named("d")).unwrap();
    assert_eq!(path.nodes, ["a", "b", "d"].map(named));
    assert_eq!((path.cost, path.edges.len()), (2.0, 2));
    let itself = graph.path(&named("a"), &named("a")).unwrap();
    assert_eq!(
        (itself.nodes.len(), itself.edges.len(), itself.cost),
        (1, 0, 0.0)
    );
}

#[test]
fn equal_paths_are_chosen_by_edges_then_names() {
    // Two dependencies cost as much as one sequence.
    let shorter = graph(&[
        edge("a", Dependency, Manual, "b"),
        edge("b", Dependency, Manual, "d"),
        edge("a", Sequence, Observed, "d"),
    ]);
    let path = shorter.path(&named("a"), &named("d")).unwrap();
    assert_eq!(path.nodes, ["a", "d"].map(named));
    let mut edges: Vec<Edge> = ["m", "k", "x"]
        .iter()
        .flat_map(|via| {
            [
                edge("a", Contains, Manual, via),
                edge(via, Contains, Manual, "d"),
            ]
        })
        .collect();
    for _ in 0..edges.len() {
        edges.rotate_left(1);
        let path = graph(&edges).path(&named("a"), &named("d")).unwrap();
        assert_eq!(path.nodes, ["a", "k", "d"].map(named));
    }
}

#[test]
fn there_may_be_no_path() {
    let graph = sample();
    let missing = |from: &str, to: &str| {
        graph
            .path(&named(from), &named(to))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(missing("f", "a"), "no relations lead from `f` to `a`");
    assert_eq!(
        missing("f", "nobody"),
        "`nobody` has no relations that are sure enough"
    );
}

#[test]
fn what_followed_often_enough_is_told() {
    let often = |to: &str, kind: EdgeKind, observed: u64| Edge {
        observed,
        ..edge("a", kind, Inferred, to)
    };
    let graph = graph(&[
        often("b", Sequence, 3),
        often("d", Sequence, 1),
        often("c", Sequence, 1),
        often("e", Contains, 9),
    ]);
    let next = |node: &str, least: u64| {
        let next = graph.next(&named(node), |count, out_of| {
            assert_eq!(out_of, 5);
            count >= least
        });
        next.into_iter()
            .map(|it| format!("{} {} of {}", it.node, it.count, it.out_of))
            .collect::<Vec<_>>()
    };
    assert_eq!(next("a", 1), ["b 3 of 5", "c 1 of 5", "d 1 of 5"]);
    assert_eq!(next("a", 2), ["b 3 of 5"]);
    for nothing in [next("a", 4), next("b", 0), next("nobody", 0)] {
        assert_eq!(nothing, [] as [String; 0]);
    }
}

#[test]
fn what_is_often_the_last_is_seldom_followed() {
    let often = |from: &str, to: &str, observed: u64| Edge {
        observed,
        ..edge(from, Sequence, Inferred, to)
    };
    let graph = graph(&[often("a", "b", 9), often("c", "b", 11), often("b", "d", 3)]);
    let next = graph.next(&named("b"), |_, _| true);
    assert_eq!((next[0].count, next[0].out_of), (3, 20));
}

#[test]
fn edges_of_a_node_are_in_order() {
    let graph = sample();
    let shown = |direction: Direction| {
        let edges = graph.edges(&named("a"), direction).into_iter();
        edges
            .map(|it| format!("{}-{}", it.from, it.to))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(shown(Direction::Both), "a-b a-c a-d z-a");
    assert_eq!(shown(Direction::From), "a-b a-c a-d");
    assert_eq!(shown(Direction::To), "z-a");
}

#[test]
fn an_empty_graph_answers_too() {
    let graph = Graph::new();
    assert_eq!(graph.page_rank().count(), 0);
    assert_eq!(graph.communities().count(), 0);
    assert_eq!(graph.rank(&named("a")), None);
    assert_eq!(graph.community(&named("a")), None);
    assert_eq!(graph.digest(), "0".repeat(32));
}
