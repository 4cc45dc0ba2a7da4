"""Answers what NetworkX says of graphs: one graph as JSON on each line, one answer on each line."""

import json
import sys

import networkx as nx


def answer(nodes, edges):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(edges)

    components = [sorted(component) for component in nx.strongly_connected_components(graph)]
    cyclic = [c for c in components if len(c) > 1 or graph.has_edge(c[0], c[0])]
    on_cycles = {node for component in cyclic for node in component}
    below = [nx.descendants(graph, node) for node in range(nodes)]
    acyclic = nx.is_directed_acyclic_graph(graph)
    return {
        "components": components,
        "cycles": list(nx.simple_cycles(graph)),
        "generations": list(nx.topological_generations(graph)) if acyclic else None,
        "order": list(nx.lexicographical_topological_sort(graph)) if acyclic else None,
        "stuck": sorted(on_cycles.union(*(below[node] for node in on_cycles))),
        "reachable": [sorted(below[n] | ({n} & on_cycles)) for n in range(nodes)],
        "paths": paths(graph, components),
    }


def paths(graph, components):
    """All paths between each two nodes, without the edges that lie on cycles."""
    component = {node: which for which, nodes in enumerate(components) for node in nodes}
    kept = nx.DiGraph()
    kept.add_nodes_from(graph)
    kept.add_edges_from((a, b) for a, b in graph.edges if component[a] != component[b])
    nodes = range(len(graph))
    found = [[[] for _ in nodes] for _ in nodes]
    for start in nodes:
        for path in nx.all_simple_paths(kept, start, set(nodes) - {start}):
            found[start][path[-1]].append(path)
    return found


for line in sys.stdin:
    print(json.dumps(answer(**json.loads(line))))
