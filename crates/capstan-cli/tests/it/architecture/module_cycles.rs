//! The top-level modules of the executor and of the engine form layers: none reaches itself through others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::imports::{foreign_impls, imports, reexports};
use super::sources::{read, sources};

const LAYERED: [&str; 2] = ["capstan-exec", "capstan-engine"];

/// By module: the modules that it imports from.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_module_reaches_itself_through_others() {
    for name in LAYERED {
        let graph = graph(name);
        assert!(graph.len() > 10, "{name} was not read: {graph:?}");
        assert_eq!(cycle(&graph), None, "{name} has a cycle between modules");
    }
}

/// A method that is defined far from its type hides what its callers depend on.
#[test]
fn methods_are_defined_in_the_module_of_their_type() {
    for name in LAYERED {
        for (module, text) in modules(name) {
            let foreign = foreign_impls(&text, &module);
            assert!(
                foreign.is_empty(),
                "{name}: `{module}` adds methods to types of other modules: {foreign:?}"
            );
        }
    }
}

#[test]
fn cycles_are_found() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (from, to) in edges {
            let targets = graph.entry((*from).to_owned()).or_default();
            targets.insert((*to).to_owned());
        }
        graph
    };
    assert_eq!(cycle(&graph(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    let found = cycle(&graph(&[("a", "b"), ("b", "c"), ("c", "b")]));
    assert_eq!(found.unwrap(), ["b", "c", "b"]);
}

fn graph(crate_name: &str) -> Graph {
    let root = format!("crates/{crate_name}/src/lib.rs");
    let reexports = reexports(&read(Path::new(&root)));
    let mut graph = Graph::new();
    for (module, text) in modules(crate_name) {
        let targets = graph.entry(module.clone()).or_default();
        for name in imports(&text) {
            let target = reexports.get(&name).unwrap_or(&name).clone();
            if target != module {
                targets.insert(target);
            }
        }
    }
    graph
}

/// The files of a crate, each with its top-level module.
fn modules(crate_name: &str) -> Vec<(String, String)> {
    let root = format!("crates/{crate_name}/src/");
    let mut modules = Vec::new();
    for source in sources() {
        let path = source.to_string_lossy().into_owned();
        let Some(inner) = path.strip_prefix(&root).filter(|it| *it != "lib.rs") else {
            continue;
        };
        let module = inner.split('/').next().unwrap_or_default();
        let module = module.trim_end_matches(".rs").to_owned();
        modules.push((module, read(&source)));
    }
    modules
}

/// Returns the first way that leads from a module back to it.
fn cycle(graph: &Graph) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    for start in graph.keys() {
        let mut way = Vec::new();
        if let Some(found) = visit(start, graph, &mut way, &mut done) {
            return Some(found);
        }
    }
    None
}

fn visit(
    module: &str,
    graph: &Graph,
    way: &mut Vec<String>,
    done: &mut BTreeSet<String>,
) -> Option<Vec<String>> {
    if let Some(start) = way.iter().position(|it| it == module) {
        let mut found = way[start..].to_vec();
        found.push(module.to_owned());
        return Some(found);
    }
    if done.contains(module) {
        return None;
    }
    way.push(module.to_owned());
    for next in graph.get(module).into_iter().flatten() {
        if let Some(found) = visit(next, graph, way, done) {
            return Some(found);
        }
    }
    way.pop();
    done.insert(module.to_owned());
    None
}
