//! Small graphs, drawn by hand.

use capstan_skill::graph::{
    Cycles, Diamond, Graph, components, diamonds, elementary_cycles, levels, one_cycle_each, order,
    reachable,
};

#[test]
fn nothing_has_nothing() {
    let graph = Graph::new(0, []);
    assert!(graph.is_empty());
    assert_eq!(levels(&graph), Ok(vec![]));
    assert_eq!(order(&graph), Ok(vec![]));
    assert!(components(&graph).is_empty());
    assert!(one_cycle_each(&graph).is_empty());
    assert!(elementary_cycles(&graph, 0).complete);
}

#[test]
fn nodes_that_are_not_there_are_nowhere() {
    let graph = Graph::new(2, [(0, 1), (0, 2), (7, 0)]);
    assert_eq!(graph, Graph::new(2, [(0, 1)]));
    assert!(graph.successors(2).is_empty());
    assert!(graph.successors(usize::MAX).is_empty());
    assert!(reachable(&graph, 2).is_empty());
    assert!(diamonds(&graph, 2, 3).is_empty());
}

#[test]
fn a_node_that_leads_to_itself_is_a_cycle() {
    let graph = Graph::new(3, [(0, 1), (1, 1), (1, 2)]);
    let expected = Cycles {
        cycles: vec![vec![1]],
        complete: true,
        more: 0,
        is_counted: true,
    };
    assert_eq!(elementary_cycles(&graph, 1), expected);
    assert_eq!(one_cycle_each(&graph), [[1]]);
    assert_eq!(levels(&graph), Err(vec![1, 2]));
    assert_eq!(order(&graph), Err(vec![1, 2]));
    assert_eq!(reachable(&graph, 0).into_iter().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn a_knot_is_shown_by_its_shortest_cycle() {
    // 0 → 1 → 2 → 0, a shorter cycle through 3 and 4, and a separate cycle of 5 and 6.
    let edges = [
        (0, 1),
        (1, 2),
        (2, 0),
        (2, 3),
        (3, 4),
        (4, 3),
        (4, 0),
        (5, 6),
        (6, 5),
    ];
    let graph = Graph::new(7, edges);
    assert_eq!(components(&graph), [vec![0, 1, 2, 3, 4], vec![5, 6]]);
    assert_eq!(one_cycle_each(&graph), [[3, 4], [5, 6]]);
    let all = elementary_cycles(&graph, 10);
    assert_eq!(
        all.cycles,
        [vec![0, 1, 2], vec![0, 1, 2, 3, 4], vec![3, 4], vec![5, 6]]
    );
}

#[test]
fn levels_and_order_are_not_the_same() {
    let graph = Graph::new(4, [(3, 0), (0, 1)]);
    assert_eq!(levels(&graph), Ok(vec![vec![2, 3], vec![0], vec![1]]));
    assert_eq!(order(&graph), Ok(vec![2, 3, 0, 1]));
}

#[test]
fn only_the_node_where_ways_meet_is_a_diamond() {
    // 0 → 1 → 3 → 4 → 5, and 0 → 2 → 3.
    let graph = Graph::new(6, [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 5)]);
    let expected = Diamond {
        node: 3,
        paths: vec![vec![0, 1, 3], vec![0, 2, 3]],
    };
    assert_eq!(diamonds(&graph, 0, 5), [expected]);
    assert!(diamonds(&graph, 1, 5).is_empty());
}

#[test]
fn a_second_way_past_a_diamond_makes_another() {
    // As above with 2 → 4: three paths lead to 4.
    let graph = Graph::new(5, [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (2, 4)]);
    let found = diamonds(&graph, 0, 2);
    assert_eq!(found.len(), 2);
    assert_eq!(found[1].node, 4);
    assert_eq!(found[1].paths, [vec![0, 2, 4], vec![0, 1, 3, 4]]);
}

#[test]
fn a_cycle_is_no_diamond() {
    let graph = Graph::new(4, [(0, 1), (1, 2), (2, 1), (0, 3), (2, 3)]);
    assert!(diamonds(&graph, 0, 3).is_empty());
}
