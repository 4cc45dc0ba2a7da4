//! Compares every result with that of NetworkX.

use capstan_skill::graph::{
    Diamond, components, diamonds, elementary_cycles, levels, one_cycle_each, order, reachable,
};
use capstan_test_support::Oracle;
use serde::Deserialize;
use serde_json::json;

use super::samples::{self, Sample};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/graph/oracle.py");

/// The answer of `oracle.py` for one graph. Lists are unordered unless it says so.
#[derive(Debug, Deserialize)]
struct GraphAnswer {
    components: Vec<Vec<usize>>,
    cycles: Vec<Vec<usize>>,
    /// `None` if there are cycles.
    generations: Option<Vec<Vec<usize>>>,
    /// `None` if there are cycles.
    order: Option<Vec<usize>>,
    /// Nodes on cycles, and nodes that wait for them.
    stuck: Vec<usize>,
    /// For each node.
    reachable: Vec<Vec<usize>>,
    /// All paths for each pair of nodes, without the edges on cycles.
    paths: Vec<Vec<Vec<Vec<usize>>>>,
}

#[test]
fn networkx_agrees() {
    let mut samples: Vec<Sample> = (0..=3).flat_map(samples::all).collect();
    samples.extend(samples::some(&samples::any_graph(8, 12), 800));
    samples.extend(samples::some(&samples::any_graph(7, 49), 400));
    samples.extend(samples::some(&samples::any_graph(8, 64), 40));
    samples.extend(samples::some(&samples::acyclic_graph(8, 12), 600));
    samples.extend(samples::some(&samples::acyclic_graph(8, 40), 400));
    samples.extend(samples::some(&samples::any_graph(30, 45), 200));
    samples.extend(samples::some(&samples::acyclic_graph(30, 60), 200));

    let oracle = Oracle::start(SCRIPT);
    for sample in &samples {
        let answer = oracle.ask(&json!({"nodes": sample.nodes, "edges": sample.edges}));
        same_components(sample, &answer);
        same_cycles(sample, &answer);
        same_order(sample, &answer);
        same_reach(sample, &answer);
        same_diamonds(sample, &answer);
    }
}

fn same_components(sample: &Sample, answer: &GraphAnswer) {
    let expected = sorted(answer.components.clone());
    assert_eq!(components(&sample.graph()), expected, "{sample:?}");
}

fn same_cycles(sample: &Sample, answer: &GraphAnswer) {
    let graph = sample.graph();
    let expected = sorted(answer.cycles.iter().map(|cycle| rotated(cycle)).collect());

    let all = elementary_cycles(&graph, usize::MAX);
    assert!(all.complete, "{sample:?}");
    assert_eq!(all.cycles, expected, "{sample:?}");

    for most in [0, 1, expected.len() / 2, expected.len()] {
        let some = elementary_cycles(&graph, most);
        let kept = most.min(expected.len());
        assert_eq!(some.complete, kept == expected.len(), "{sample:?}");
        assert_eq!(some.cycles, expected[..kept], "{sample:?}");
    }

    let shortest: Vec<Vec<usize>> = sorted(answer.components.clone())
        .iter()
        .filter_map(|component| {
            let inside = expected
                .iter()
                .filter(|cycle| component.contains(&cycle[0]));
            inside.min_by_key(|cycle| cycle.len()).cloned()
        })
        .collect();
    assert_eq!(one_cycle_each(&graph), shortest, "{sample:?}");
}

fn same_order(sample: &Sample, answer: &GraphAnswer) {
    let graph = sample.graph();
    let mut generations = answer.generations.clone();
    for level in generations.iter_mut().flatten() {
        level.sort_unstable();
    }
    let stuck = || answer.stuck.clone();
    assert_eq!(levels(&graph), generations.ok_or_else(stuck), "{sample:?}");
    let expected = answer.order.clone().ok_or_else(stuck);
    assert_eq!(order(&graph), expected, "{sample:?}");
}

fn same_reach(sample: &Sample, answer: &GraphAnswer) {
    let graph = sample.graph();
    for (from, expected) in answer.reachable.iter().enumerate() {
        let reached: Vec<usize> = reachable(&graph, from).into_iter().collect();
        assert_eq!(&reached, expected, "from {from}: {sample:?}");
    }
}

/// Compares with the definition by paths, not with the equivalent one by edges.
fn same_diamonds(sample: &Sample, answer: &GraphAnswer) {
    let graph = sample.graph();
    for (from, paths) in answer.paths.iter().enumerate() {
        let explains = |other: usize, node: usize| {
            other != node
                && paths[other].len() > 1
                && paths[node].iter().all(|path| path.contains(&other))
                && answer.paths[other][node].len() == 1
        };
        for most in [1, 2, 3, usize::MAX] {
            let expected: Vec<Diamond> = (0..sample.nodes)
                .filter(|&node| paths[node].len() > 1)
                .filter(|&node| !(0..sample.nodes).any(|other| explains(other, node)))
                .map(|node| {
                    let mut paths = paths[node].clone();
                    paths.sort_by_key(|path| (path.len(), path.clone()));
                    paths.truncate(most);
                    Diamond { node, paths }
                })
                .collect();
            assert_eq!(
                diamonds(&graph, from, most),
                expected,
                "from {from}: {sample:?}"
            );
        }
    }
}

fn rotated(cycle: &[usize]) -> Vec<usize> {
    let mut cycle = cycle.to_vec();
    let smallest = (0..cycle.len()).min_by_key(|&place| cycle[place]);
    cycle.rotate_left(smallest.expect("a cycle has nodes"));
    cycle
}

fn sorted(mut lists: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    lists.sort();
    lists
}
