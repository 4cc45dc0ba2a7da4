//! Tests with hard graphs: every result arrives soon and has a bounded size.

use std::slice;

use capstan_skill::graph::{
    Graph, all_diamonds, components, diamonds, elementary_cycles, levels, one_cycle_each, order,
    reachable,
};

/// The largest total length of all lists in a result.
const MOST_WRITTEN: usize = 5_000_000;

#[test]
fn a_long_chain() {
    let nodes = 100_000;
    let graph = Graph::new(nodes, (1..nodes).map(|node| (node - 1, node)));
    assert_eq!(components(&graph).len(), nodes);
    assert!(elementary_cycles(&graph, 1).complete);
    assert!(one_cycle_each(&graph).is_empty());
    assert_eq!(levels(&graph).map(|levels| levels.len()), Ok(nodes));
    assert_eq!(order(&graph), Ok((0..nodes).collect()));
    assert_eq!(reachable(&graph, 0).len(), nodes - 1);
    assert!(diamonds(&graph, 0, 3).is_empty());
}

#[test]
fn a_long_ring() {
    let nodes = 100_000;
    let graph = Graph::new(nodes, (0..nodes).map(|node| (node, (node + 1) % nodes)));
    let ring: Vec<usize> = (0..nodes).collect();
    assert_eq!(components(&graph), *slice::from_ref(&ring));
    let found = elementary_cycles(&graph, 1);
    assert!(found.complete);
    assert_eq!(found.cycles, *slice::from_ref(&ring));
    assert_eq!(one_cycle_each(&graph), *slice::from_ref(&ring));
    assert_eq!(levels(&graph), Err(ring.clone()));
    assert_eq!(order(&graph), Err(ring));
    assert!(diamonds(&graph, 0, 3).is_empty());
}

#[test]
fn everyone_with_everyone() {
    let nodes = 50;
    let pairs = (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to)));
    let graph = Graph::new(nodes, pairs);
    let found = elementary_cycles(&graph, 1_000);
    assert!(!found.complete);
    assert_eq!(found.cycles.len(), 1_000);
    assert!(found.more > 0 && !found.is_counted);
    assert_eq!(found.cycles[..2], [vec![0], vec![0, 1]]);
    assert_eq!(one_cycle_each(&graph), [[0]]);

    let found = elementary_cycles(&graph, usize::MAX);
    assert!(!found.complete);
    assert!(written(&found.cycles) <= MOST_WRITTEN);
}

#[test]
fn many_nodes_in_one_knot() {
    let nodes = 10_000;
    let graph = Graph::new(nodes, knot(nodes));
    assert_eq!(components(&graph).len(), 1);
    let found = elementary_cycles(&graph, 100);
    assert!(!found.complete);
    assert_eq!(found.cycles.len(), 100);

    let found = elementary_cycles(&graph, usize::MAX);
    assert!(!found.complete);
    assert!(written(&found.cycles) <= MOST_WRITTEN);
    assert_eq!(one_cycle_each(&graph).len(), 1);
}

/// 2^1,000 paths lead through the maze, all back to an earlier node. A search that follows all of them would
/// never find the second cycle.
#[test]
fn a_maze_that_leads_nowhere() {
    let rungs = 1_000;
    let edges = ladder(2, rungs).chain([(0, 1), (1, 0), (1, 2), (2 + 3 * rungs, 1)]);
    let graph = Graph::new(3 + 3 * rungs, edges);
    let found = elementary_cycles(&graph, 2);
    assert!(!found.complete);
    assert_eq!(found.cycles.len(), 2);
    assert_eq!(found.cycles[0], [0, 1]);
    assert_eq!(found.cycles[1][..4], [1, 2, 3, 5]);
    assert_eq!(one_cycle_each(&graph), [[0, 1]]);
}

#[test]
fn many_small_knots() {
    let pairs = 50_000;
    let edges = (0..pairs).flat_map(|pair| [(2 * pair, 2 * pair + 1), (2 * pair + 1, 2 * pair)]);
    let graph = Graph::new(2 * pairs, edges);
    let found = elementary_cycles(&graph, pairs);
    assert!(found.complete);
    assert_eq!(found.cycles.len(), pairs);
    assert_eq!(one_cycle_each(&graph), found.cycles);
}

/// 2^3,333 paths lead to the last of these diamonds.
#[test]
fn a_ladder_of_diamonds() {
    let rungs = 3_333;
    let graph = Graph::new(3 * rungs + 1, ladder(0, rungs));
    let found = diamonds(&graph, 0, 4);
    assert_eq!(found.len(), rungs);
    assert_eq!(found[0].paths.len(), 2);
    assert_eq!(found[1].paths.len(), 4);
    let paths = found.iter().map(|diamond| written(&diamond.paths));
    assert!(paths.sum::<usize>() <= MOST_WRITTEN);
    assert!(elementary_cycles(&graph, 1).complete);

    let all = all_diamonds(&graph, 0..graph.len(), 2);
    assert!(!all.complete);
    assert!((1..rungs).contains(&all.below.len()));
    assert_eq!(all.below[0].1.len(), rungs);
}

#[test]
fn many_small_diamonds() {
    let corners = (0..2_500).map(|diamond| 4 * diamond);
    let edges = corners.clone().flat_map(|corner| ladder(corner, 1));
    let graph = Graph::new(10_000, edges);
    let all = all_diamonds(&graph, 0..10_000, 2);
    assert!(all.complete);
    let roots = all.below.iter().map(|(root, _)| *root);
    assert!(roots.eq(corners));
}

#[test]
fn many_nodes_that_compose_many() {
    let nodes = 10_000;
    let downwards = knot(nodes).filter(|(from, to)| from < to);
    let graph = Graph::new(nodes, downwards);
    assert_eq!(order(&graph).map(|order| order.len()), Ok(nodes));
    let levels = levels(&graph).expect("there are levels");
    assert_eq!(levels.iter().map(Vec::len).sum::<usize>(), nodes);
    assert!(elementary_cycles(&graph, 1).complete);
    // All of them are below the first node, and most have many paths.
    let found = diamonds(&graph, 0, 3);
    assert!((nodes / 2..nodes).contains(&found.len()));
    assert!(!all_diamonds(&graph, 0..nodes, 3).complete);
}

/// A ring through all nodes, with two more edges from each node.
fn knot(nodes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..nodes).flat_map(move |node| {
        let far = (node * 7_919 + 13) % nodes;
        let further = (node * 104_729 + 37) % nodes;
        [(node, (node + 1) % nodes), (node, far), (node, further)]
    })
}

/// Two paths from each corner to the next, whose number is greater by three.
fn ladder(first: usize, rungs: usize) -> impl Iterator<Item = (usize, usize)> {
    let corners = (0..rungs).map(move |rung| first + 3 * rung);
    corners.flat_map(|corner| {
        let (one, other, next) = (corner + 1, corner + 2, corner + 3);
        [(corner, one), (corner, other), (one, next), (other, next)]
    })
}

fn written(lists: &[Vec<usize>]) -> usize {
    lists.iter().map(Vec::len).sum()
}
