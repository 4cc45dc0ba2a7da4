"""Answers what NetworkX says of graphs: one graph as JSON on each line, one answer on each line."""

import json
import sys

import networkx as nx

# Random starts of Louvain, of which the best counts.
SEEDS = range(5)

# From so many nodes costs are asked.
STARTS = 10


def pagerank(graph):
    """NetworkX's own needs SciPy; this is its plain version, which it tests the other against."""
    from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python

    return _pagerank_python(graph, alpha=0.85, tol=1e-13, max_iter=1000, weight="weight")


def answer(nodes, edges, communities):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(nodes))
    for start, end, confidence in edges:
        graph.add_edge(start, end, weight=confidence, cost=1 / confidence)
    ranks = pagerank(graph)
    cost = lambda start: nx.single_source_dijkstra_path_length(graph, start, weight="cost")

    # Without directions: both edges of a pair count.
    plain = nx.Graph()
    plain.add_nodes_from(range(nodes))
    for start, end, confidence in edges:
        before = plain.get_edge_data(start, end, {"weight": 0})["weight"]
        plain.add_edge(start, end, weight=before + confidence)
    modularity = lambda parts: nx.community.modularity(plain, parts)
    louvain = [nx.community.louvain_communities(plain, seed=seed) for seed in SEEDS]
    return {
        "ranks": [ranks[node] for node in range(nodes)],
        "costs": [sorted(cost(node).items()) for node in range(min(nodes, STARTS))],
        "modularity": modularity([set(part) for part in communities]),
        "greedy": modularity(nx.community.greedy_modularity_communities(plain, weight="weight")),
        "louvain": max(map(modularity, louvain)),
        "connected": all(nx.is_connected(plain.subgraph(part)) for part in communities),
    }


for line in sys.stdin:
    print(json.dumps(answer(**json.loads(line))))
