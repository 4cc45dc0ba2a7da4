"""Says what is wrong with registries of skills, by the rules as they are documented and with NetworkX for
everything that is a question about graphs. One question as JSON on each line, one answer on each line.

A registry is a list of skills as `samples.rs` makes them. Skills are known by their numbers in it.
"""

import itertools
import json
import sys

import networkx as nx

CARD = "tool.card"
SEVERITIES = ["TRANSFORM", "READ", "WRITE"]
MOST_WAYS = 5
DEEPEST = 4
TODAY = "2026-11-16"


# Versions, as npm means them.


def numbers(version):
    return tuple(int(part) for part in version.split("."))


def bounds(one):
    """The least version that fits, and the first that is too new."""
    if one == "*":
        return (0, 0, 0), None
    if one.startswith(">="):
        return numbers(one[2:]), None
    if one.startswith("<"):
        return (0, 0, 0), numbers(one[1:])
    if one.startswith("~"):
        major, minor, _ = least = numbers(one[1:])
        return least, (major, minor + 1, 0)
    if one.startswith("^"):
        major, minor, patch = least = numbers(one[1:])
        if major:
            return least, (major + 1, 0, 0)
        return least, ((0, minor + 1, 0) if minor else (0, 0, patch + 1))
    if one.endswith(".x"):
        major = int(one[:-2])
        return (major, 0, 0), (major + 1, 0, 0)
    major, minor, patch = exact = numbers(one)
    return exact, (major, minor, patch + 1)


def fits(version, range):
    def within(one):
        least, end = bounds(one)
        return least <= numbers(version) and (end is None or numbers(version) < end)

    return any(all(within(one) for one in side.split()) for side in range.split("||"))


class Registry:
    def __init__(self, skills):
        self.skills = skills
        self.versions = {}
        for index, skill in enumerate(skills):
            self.versions.setdefault(skill["id"], []).append(index)
        for known in self.versions.values():
            known.sort(key=lambda index: numbers(skills[index]["version"]), reverse=True)

    def parts(self, index, chosen):
        """The skills that one is made of directly, as numbers."""
        named = (part["skill"] for part in self.skills[index]["composes"])
        return [chosen[name] for name in named if name in self.versions]

    def closure(self, root, chosen):
        """Everything that one is made of, and itself."""
        members, waiting = {root}, [root]
        while waiting:
            new = set(self.parts(waiting.pop(), chosen)) - members
            members |= new
            waiting += new
        return members

    def asked(self, members):
        """By name: what everybody in a closure asks for, of what anybody in it is made of."""
        composed = [part for index in members for part in self.skills[index]["composes"]]
        asked = {part["skill"]: [] for part in composed if part["skill"] in self.versions}
        required = [part for index in members for part in self.skills[index]["requires"]]
        for part in composed + required:
            if part["skill"] in asked and part["version"]:
                asked[part["skill"]].append(part["version"])
        return asked

    def fitting(self, name, ranges):
        version = lambda index: self.skills[index]["version"]
        return [i for i in self.versions[name] if all(fits(version(i), range) for range in ranges)]

    def resolutions(self, root):
        """All choices with which everybody gets the newest version that all who take part ask for. Where
        there is none, the newest is taken, and it is a conflict. Found by trying every choice."""
        found = []
        names = sorted(self.versions)
        for choice in itertools.product(*(self.versions[name] for name in names)):
            chosen = dict(zip(names, choice))
            asked = self.asked(self.closure(root, chosen))
            wanted = {
                name: (self.fitting(name, ranges) or self.versions[name])[0]
                for name, ranges in asked.items()
            }
            # Of names that nobody asks for, every version would do: one of these choices is enough.
            if all(chosen[n] == wanted.get(n, self.versions[n][0]) for n in names):
                conflicts = [n for n, ranges in asked.items() if not self.fitting(n, ranges)]
                found.append((chosen, sorted(conflicts)))
        return [self.without_conflicts(root, choice) for choice in found]

    def without_conflicts(self, root, resolution):
        """Where the newest versions do not fit each other: the first choice that does, if there is one."""
        other = self.search(root, {}) if resolution[1] else None
        if other is None:
            return resolution
        newest = {name: versions[0] for name, versions in self.versions.items()}
        return {**newest, **other}, []

    def search(self, root, chosen):
        """Tries the versions of one name after the other, newest first, in the order of composing."""
        members, order = [root], []
        for member in members:
            for part in self.skills[member]["composes"]:
                name = part["skill"]
                if name in self.versions and name not in order:
                    order.append(name)
                if name in chosen and chosen[name] not in members:
                    members.append(chosen[name])
        asked = self.asked(members)
        fits_all = lambda name: chosen[name] in self.fitting(name, asked[name])
        if not all(fits_all(name) for name in order if name in chosen):
            return None
        undecided = [name for name in order if name not in chosen]
        if not undecided:
            return chosen
        name = undecided[0]
        tried = (self.search(root, {**chosen, name: i}) for i in self.fitting(name, asked[name]))
        return next((found for found in tried if found is not None), None)


def check(skills):
    registry = Registry(skills)
    everyone = range(len(skills))
    name = lambda index: f"{skills[index]['id']}@{skills[index]['version']}"
    findings = []

    def tell(code, severity, index, what=None):
        findings.append([code, severity, name(index), what])

    for index, skill in enumerate(skills):
        composes = [part["skill"] for part in skill["composes"]]
        if skill["level"] == 1 and composes:
            tell("E010", "error", index)
        if skill["level"] > 1 and not composes:
            tell("E013", "error", index)
        for part in composes:
            if part not in registry.versions and part != CARD:
                tell("E004", "error", index, part)
        for part in skill["requires"]:
            if part["skill"] not in registry.versions and part["skill"] not in composes:
                tell("E004", "error", index, part["skill"])

    all_resolutions = [registry.resolutions(index) for index in everyone]
    if any(len(found) != 1 for found in all_resolutions):
        # Versions that compose each other in circles: no choice is the right one, or several are.
        return {"judged": False, "findings": findings, "unjudged": []}
    resolutions = [found[0] for found in all_resolutions]

    for index, (skill, (chosen, conflicts)) in enumerate(zip(skills, resolutions)):
        for conflict in conflicts:
            tell("E017", "error", index, conflict)
        asked = registry.asked(registry.closure(index, chosen))
        for part in skill["requires"]:
            name_ = part["skill"]
            if name_ in registry.versions and name_ not in asked:
                if not registry.fitting(name_, [part["version"]]):
                    tell("E017", "error", index, name_)
        for part in registry.parts(index, chosen):
            used = skills[part]
            if skill["level"] == 2 and used["level"] != 1:
                tell("E014", "error", index, used["id"])
            if skill["level"] == 3 and used["level"] == 3:
                tell("E015", "error", index, used["id"])
            if used["deprecated"]:
                sunset = used["deprecated"]["sunset"]
                over = sunset is not None and sunset < TODAY
                tell("E018", "error" if over else "warning", index, used["id"])

    graph = nx.DiGraph()
    graph.add_nodes_from(everyone)
    for index in everyone:
        graph.add_edges_from((index, part) for part in registry.parts(index, resolutions[index][0]))
    cycles = list(nx.simple_cycles(graph))
    assert len(cycles) <= 10_000, "more than are listed"
    for cycle in cycles:
        ids = [skills[index]["id"] for index in cycle]
        turns = [ids[start:] + ids[:start] for start in range(len(ids))]
        findings.append(["E003", "error", None, min(turns)])

    diamonds(skills, graph, tell)
    unjudged = effects(registry, resolutions, tell)
    return {"judged": True, "findings": findings, "unjudged": [name(i) for i in unjudged]}


def diamonds(skills, graph, tell):
    """What is reached on several ways from a workflow, unless it only hangs below such a one."""
    component = {}
    for which, nodes in enumerate(nx.strongly_connected_components(graph)):
        component |= {node: which for node in nodes}
    kept = nx.DiGraph()
    kept.add_nodes_from(graph)
    kept.add_edges_from((a, b) for a, b in graph.edges if component[a] != component[b])
    everyone = list(graph)
    ways = {
        (a, b): list(nx.all_simple_paths(kept, a, b)) for a in everyone for b in everyone if a != b
    }
    for root in everyone:
        if skills[root]["level"] != 3:
            continue
        below = [node for node in everyone if node != root]
        several = [node for node in below if len(ways[root, node]) > 1]
        for node in several:
            explained = any(
                all(other in way for way in ways[root, node]) and len(ways[other, node]) == 1
                for other in several
                if other != node
            )
            if explained or skills[node]["cached"]:
                continue
            shown = sorted(ways[root, node], key=lambda way: (len(way), way))[:MOST_WAYS]
            tell("E016", "warning", root, [[skills[i]["id"] for i in way] for way in shown])


def effects(registry, resolutions, tell):
    """Who declares less than it is made of. Gives those of whom that cannot be said, because they are
    made of what is broken."""
    skills = registry.skills
    everyone = range(len(skills))
    names = nx.DiGraph()
    names.add_nodes_from(everyone)
    for index, skill in enumerate(skills):
        for part in skill["composes"]:
            names.add_edges_from((index, version) for version in registry.versions.get(part["skill"], []))
    known = {CARD, *registry.versions}
    circular = set(nx.nodes_with_selfloops(names)).union(
        *(nodes for nodes in nx.strongly_connected_components(names) if len(nodes) > 1)
    )

    def is_broken(index):
        skill = skills[index]
        composes = skill["composes"]
        return (
            (skill["level"] == 1) == bool(composes)
            or any(part["skill"] not in known for part in composes)
            or index in circular
        )

    broken = {index for index in everyone if is_broken(index)}
    unjudged = {index for index in everyone if ({index} | nx.descendants(names, index)) & broken}
    for index in set(everyone) - unjudged:
        below = names.subgraph({index} | nx.descendants(names, index))
        if nx.dag_longest_path_length(below) > DEEPEST:
            unjudged.add(index)

    def contract(index, chosen):
        skill = skills[index]
        declared = set(skill["effects"] or [])
        rank = SEVERITIES.index(skill["operation"] or "TRANSFORM")
        for operation, effects in made_of(index, chosen):
            rank = max(rank, operation)
            declared |= effects
        return rank, declared

    def made_of(index, chosen):
        made = []
        for part in skills[index]["composes"]:
            if part["skill"] == CARD and CARD not in registry.versions:
                made.append((SEVERITIES.index("READ"), {"Query", "Network"}))
            else:
                made.append(contract(chosen[part["skill"]], chosen))
        return made

    # What is the matter may be seen only with the versions that somebody else brings about.
    for root in everyone:
        chosen = resolutions[root][0]
        for index in registry.closure(root, chosen) - unjudged:
            skill = skills[index]
            made = made_of(index, chosen)
            if not made:
                continue
            highest = max(operation for operation, _ in made)
            if skill["operation"] and highest > SEVERITIES.index(skill["operation"]):
                tell("E031", "error", index, SEVERITIES[highest])
            whole = set().union(*(effects for _, effects in made))
            if skill["effects"] is not None and not whole <= set(skill["effects"]):
                tell("E030", "error", index, sorted(whole | set(skill["effects"])))
    return unjudged


# Contracts.


def types(schema):
    kind = schema["type"]
    return set(kind) if isinstance(kind, list) else {kind}


def is_assignable(given, wanted):
    """Every type that may come is one that may be taken; whole numbers are numbers."""
    taken = types(wanted) | ({"integer"} if "number" in types(wanted) else set())
    if not types(given) <= taken:
        return False
    if "array" in types(given) and "items" in wanted:
        return "items" in given and is_assignable(given["items"], wanted["items"])
    return True


def compatible(producer, consumer):
    """What is wrong when a consumer takes its input from a producer alone, by names."""
    findings = []
    for field, wanted in consumer["properties"].items():
        given = producer["properties"].get(field)
        if field in consumer["required"]:
            if given is None:
                findings.append(["E020", field])
            elif field not in producer["required"] or not is_assignable(given, wanted):
                findings.append(["E021", field])
        elif given is not None and not is_assignable(given, wanted):
            findings.append(["E025", field])
    return findings


def breaking(old, new):
    """What a new version breaks by its fields alone."""
    removed = set(old["output"]["properties"]) - set(new["output"]["properties"])
    added = set(new["input"]["required"]) - set(old["input"]["required"])
    return {
        "removed": sorted(removed),
        "demanded": sorted(name for name in added if name not in old["input"]["properties"]),
    }


ANSWERS = {"check": check, "compatible": compatible, "breaking": breaking}

for line in sys.stdin:
    question = json.loads(line)
    (kind, asked), = question.items()
    answer = ANSWERS[kind](*asked)
    print(json.dumps(answer), flush=True)
