//! Every answer equals that of NetworkX, or is at least as good.

use std::collections::{BTreeMap, HashMap};

use capstan_core::code::{Edge, Node};
use capstan_graph::{Filter, Graph, Page};
use capstan_test_support::Oracle;
use serde::{Deserialize, Serialize};

use super::graphs;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/oracle/oracle.py");

/// How much lower modularity may be than the best of several random starts. Only small graphs
/// without communities come near this.
const MARGIN: f64 = 0.02;

/// A graph with our answers.
#[derive(Debug, Serialize)]
struct Question {
    nodes: usize,
    /// From, to, confidence.
    edges: Vec<(usize, usize, f64)>,
    communities: Vec<Vec<usize>>,
}

#[derive(Debug, Deserialize)]
struct Answer {
    ranks: Vec<f64>,
    /// Costs from each of the first ten nodes to each reachable one.
    costs: Vec<Vec<(usize, f64)>>,
    /// The modularity of our communities.
    modularity: f64,
    /// The best modularity of NetworkX, greedily and by Louvain.
    greedy: f64,
    louvain: f64,
    /// Whether each of our communities is connected.
    connected: bool,
}

#[test]
fn networkx_agrees() {
    let mut samples: Vec<Vec<Edge>> = Vec::new();
    for seed in 0..10 {
        samples.push(graphs::random(20, 30, seed));
        samples.push(graphs::random(30, 200, seed));
    }
    for seed in 0..4 {
        samples.push(graphs::random(150, 600, seed));
        samples.push(graphs::planted(6, 25, 120, 60, seed));
        samples.push(graphs::planted(12, 12, 60, 40, seed));
        samples.push(graphs::hubs(150, 500, seed));
    }
    samples.push(graphs::ring_of_cliques(8, 5));
    samples.push(graphs::ring_of_cliques(20, 3));

    let oracle = Oracle::start(SCRIPT);
    for edges in &samples {
        let graph: Graph = edges.iter().collect();
        let answer: Answer = oracle.ask(&question(&graph));
        same_ranks(&graph, &answer);
        same_costs(&graph, &answer);
        good_communities(&graph, &answer);
    }
}

fn question(graph: &Graph) -> Question {
    let numbers: HashMap<&Node, usize> = graph
        .page_rank()
        .enumerate()
        .map(|(number, (node, _))| (node, number))
        .collect();
    let page = Page {
        edges: usize::MAX,
        after: None,
    };
    let all = graph.snapshot(&Filter::default(), &page);
    let edges = all.edges.iter();
    let edges = edges.map(|it| (numbers[&it.from], numbers[&it.to], it.confidence()));
    let mut communities: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (node, community) in graph.communities() {
        communities
            .entry(community)
            .or_default()
            .push(numbers[node]);
    }
    let sizes: Vec<_> = communities.values().map(Vec::len).collect();
    assert!(
        sizes.is_sorted_by(|one, two| one >= two),
        "the largest first"
    );
    assert_eq!(
        communities.len(),
        communities.keys().max().map_or(0, |it| *it as usize + 1)
    );
    Question {
        nodes: graph.node_count(),
        edges: edges.collect(),
        communities: communities.into_values().collect(),
    }
}

fn same_ranks(graph: &Graph, answer: &Answer) {
    for ((node, rank), expected) in graph.page_rank().zip(&answer.ranks) {
        assert!((rank - expected).abs() < 1e-6, "{node}: {rank} {expected}");
    }
    let sum: f64 = graph.page_rank().map(|(_, rank)| rank).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
}

fn same_costs(graph: &Graph, answer: &Answer) {
    let nodes: Vec<&Node> = graph.page_rank().map(|(node, _)| node).collect();
    for (from, costs) in nodes.iter().zip(&answer.costs) {
        let costs: HashMap<usize, f64> = costs.iter().copied().collect();
        for (number, to) in nodes.iter().enumerate() {
            let path = graph.path(from, to);
            let Some(expected) = costs.get(&number) else {
                assert!(path.is_err(), "{from} {to}");
                continue;
            };
            let path = path.unwrap();
            assert!((path.cost - expected).abs() < 1e-6, "{from} {to}");
            let sum: f64 = path.edges.iter().map(|it| 1.0 / it.confidence()).sum();
            assert!((path.cost - sum).abs() < 1e-6, "{from} {to}");
            let ends = path.edges.iter().zip(path.nodes.windows(2));
            for (edge, nodes) in ends {
                assert_eq!((&edge.from, &edge.to), (&nodes[0], &nodes[1]));
            }
        }
    }
}

fn good_communities(graph: &Graph, answer: &Answer) {
    let Answer {
        modularity,
        greedy,
        louvain,
        connected,
        ..
    } = answer;
    let about = format!("{} nodes, {} edges", graph.node_count(), graph.edge_count());
    assert!(connected, "{about}");
    assert!(
        modularity + MARGIN >= *greedy,
        "{about}: {modularity}, greedy {greedy}"
    );
    assert!(
        modularity + MARGIN >= *louvain,
        "{about}: {modularity}, Louvain {louvain}"
    );
}
