"""The checks of skills in Python: levels, cycles, diamonds, an order, and contracts by required fields and
types. Reads skills as JSON from standard input, prints the seconds of the best of three."""

import json
import sys
import time

import jsonschema
import networkx as nx


def levels(skill, registry):
    errors = []
    if skill["level"] == 1:
        if skill["composes"]:
            errors.append("E010")
        return errors
    if not skill["composes"]:
        errors.append("E013")
    for name in skill["composes"]:
        composed = registry.get(name)
        if composed is None:
            errors.append("E004")
        elif skill["level"] == 2 and composed["level"] != 1:
            errors.append("E014")
        elif skill["level"] == 3 and composed["level"] == 3:
            errors.append("E015")
    return errors


def assignable(giver, taker):
    kinds = lambda schema: {schema["type"]} if isinstance(schema.get("type"), str) else set(schema.get("type", []))
    given, taken = kinds(giver), kinds(taker)
    if taken and not given <= taken:
        return False
    if "items" in taker and not assignable(giver.get("items", {}), taker["items"]):
        return False
    needed = taker.get("required", [])
    return all(
        name in giver.get("properties", {}) and assignable(giver["properties"][name], taker["properties"][name])
        for name in needed
    )


def contracts(skill, registry):
    errors = []
    known = dict(skill["input_schema"].get("properties", {}))
    for name in skill["composes"]:
        composed = registry[name]
        taken = composed["input_schema"]
        for field in taken.get("required", []):
            if field not in known:
                errors.append("E020")
            elif not assignable(known[field], taken["properties"][field]):
                errors.append("E021")
        known.update(composed["output_schema"].get("properties", {}))
    return errors


def check(skills):
    registry = {skill["id"]: skill for skill in skills}
    errors = []
    graph = nx.DiGraph()
    for skill in skills:
        for schema in ("input_schema", "output_schema"):
            jsonschema.Draft202012Validator.check_schema(skill[schema])
        errors += levels(skill, registry)
        graph.add_node(skill["id"])
        graph.add_edges_from((skill["id"], name) for name in skill["composes"])
    errors += list(nx.simple_cycles(graph))
    list(nx.topological_sort(graph))
    for skill in skills:
        if skill["level"] == 3:
            reached = nx.descendants(graph, skill["id"]) | {skill["id"]}
            for name in reached:
                if sum(1 for before in graph.predecessors(name) if before in reached) > 1:
                    errors.append("E016")
        errors += contracts(skill, registry)
    return errors


def main():
    skills = json.load(sys.stdin)
    best = None
    for _ in range(3):
        start = time.perf_counter()
        check(skills)
        took = time.perf_counter() - start
        best = took if best is None else min(best, took)
    print(best)


main()
