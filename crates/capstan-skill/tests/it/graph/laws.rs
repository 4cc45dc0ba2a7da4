//! Laws that hold for every graph.

use std::collections::BTreeSet;

use capstan_skill::graph::{
    Diamonds, Graph, all_diamonds, components, diamonds, elementary_cycles, levels, one_cycle_each,
    order, reachable,
};
use proptest::prelude::*;

use super::samples::{acyclic_graph, any_graph};

proptest! {
    #[test]
    fn a_graph_does_not_depend_on_how_it_was_told(sample in any_graph(12, 40)) {
        let backwards = sample.edges.iter().rev().copied();
        let twice = sample.edges.iter().copied().chain(backwards);
        let graph = Graph::new(sample.nodes, twice);
        prop_assert_eq!(&graph, &sample.graph());
        let edges: BTreeSet<_> = sample.edges.iter().copied().collect();
        prop_assert_eq!(graph.edges().collect::<Vec<_>>(), edges.into_iter().collect::<Vec<_>>());
        for from in 0..sample.nodes {
            let targets = sample.edges.iter().filter(|edge| edge.0 == from);
            let expected: BTreeSet<usize> = targets.map(|edge| edge.1).collect();
            let successors: Vec<usize> = expected.into_iter().collect();
            prop_assert_eq!(graph.successors(from), successors);
        }
    }

    #[test]
    fn an_order_puts_everyone_after_whom_it_waits_for(sample in acyclic_graph(60, 200)) {
        let order = order(&sample.graph()).expect("there is an order");
        let mut placed = BTreeSet::new();
        for &node in &order {
            let mut before = sample.edges.iter().filter(|edge| edge.1 == node);
            prop_assert!(before.all(|edge| placed.contains(&edge.0)));
            prop_assert!(placed.insert(node));
        }
        prop_assert_eq!(placed.len(), sample.nodes);
    }

    #[test]
    fn a_level_is_the_length_of_the_longest_path(sample in acyclic_graph(40, 120)) {
        let mut longest = vec![0; sample.nodes];
        for _ in 0..sample.nodes {
            for &(from, to) in &sample.edges {
                longest[to] = longest[to].max(longest[from] + 1);
            }
        }
        let mut expected = vec![Vec::new(); longest.iter().max().map_or(0, |level| level + 1)];
        for (node, &level) in longest.iter().enumerate() {
            expected[level].push(node);
        }
        prop_assert_eq!(levels(&sample.graph()), Ok(expected));
    }

    #[test]
    fn what_has_cycles_has_no_order_and_no_levels(sample in any_graph(30, 60)) {
        let graph = sample.graph();
        let acyclic = elementary_cycles(&graph, 0).complete;
        prop_assert_eq!(levels(&graph).is_ok(), acyclic);
        prop_assert_eq!(order(&graph).err(), levels(&graph).err());
        prop_assert_eq!(one_cycle_each(&graph).is_empty(), acyclic);
    }

    #[test]
    fn a_cycle_is_a_cycle_and_comes_once(sample in any_graph(40, 160), most in 0_usize..400) {
        let graph = sample.graph();
        let found = elementary_cycles(&graph, most);
        prop_assert!(found.cycles.len() <= most);
        prop_assert!(found.cycles.is_sorted_by(|one, next| one < next));
        for cycle in found.cycles.iter().chain(&one_cycle_each(&graph)) {
            check_cycle(&graph, cycle)?;
        }
    }

    #[test]
    fn components_are_those_who_reach_each_other(sample in any_graph(30, 60)) {
        let graph = sample.graph();
        let reached: Vec<_> = (0..sample.nodes).map(|from| reachable(&graph, from)).collect();
        let expected: BTreeSet<Vec<usize>> = (0..sample.nodes)
            .map(|node| {
                let together = |&other: &usize| {
                    other == node || reached[node].contains(&other) && reached[other].contains(&node)
                };
                (0..sample.nodes).filter(together).collect()
            })
            .collect();
        prop_assert_eq!(components(&graph), expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn diamonds_below_many_are_those_below_each(sample in any_graph(20, 40), most in 0_usize..6) {
        let graph = sample.graph();
        let each = (0..sample.nodes).rev().map(|root| (root, diamonds(&graph, root, most)));
        let expected = Diamonds {
            below: each.filter(|(_, diamonds)| !diamonds.is_empty()).collect(),
            complete: true,
        };
        prop_assert_eq!(all_diamonds(&graph, (0..sample.nodes).rev(), most), expected);
    }

    #[test]
    fn paths_to_a_diamond_are_different_ways(sample in acyclic_graph(40, 120), most in 2_usize..6) {
        let graph = sample.graph();
        for from in 0..sample.nodes {
            for diamond in diamonds(&graph, from, most) {
                let keys = diamond.paths.iter().map(|path| (path.len(), path));
                prop_assert!(keys.is_sorted_by(|one, next| one < next));
                prop_assert!((2..=most).contains(&diamond.paths.len()));
                for path in &diamond.paths {
                    prop_assert_eq!((path.first(), path.last()), (Some(&from), Some(&diamond.node)));
                    prop_assert!(path.windows(2).all(|edge| graph.successors(edge[0]).contains(&edge[1])));
                }
            }
        }
    }
}

fn check_cycle(graph: &Graph, cycle: &[usize]) -> Result<(), TestCaseError> {
    prop_assert_eq!(cycle.iter().min(), cycle.first());
    prop_assert_eq!(cycle.iter().collect::<BTreeSet<_>>().len(), cycle.len());
    let next = cycle.iter().cycle().skip(1);
    for (from, to) in cycle.iter().zip(next) {
        prop_assert!(graph.successors(*from).contains(to));
    }
    Ok(())
}
