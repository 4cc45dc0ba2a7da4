//! A plan is a valid topological order, and each step runs as early as possible.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use capstan_skill::{NodeKind, Plan};
use proptest::prelude::*;

use super::compose::Sample;
use super::model::Model;
use super::runner;
use super::samples::samples;
use super::world::Bench;

#[test]
fn steps_come_as_early_as_what_they_wait_for_allows() {
    let (tried, composites) = (Cell::new(0), Cell::new(0));
    let deepest = Cell::new(0);
    let cases = 300;
    runner(cases)
        .run(&samples(), |sample| {
            tried.set(tried.get() + 1);
            let Some(plan) = plan(&sample) else {
                return Err(TestCaseError::reject("it is not sound"));
            };
            check_topological_order(&plan)?;
            let mut levels = BTreeMap::new();
            for (level, nodes) in plan.levels().into_iter().enumerate() {
                prop_assert!(!nodes.is_empty(), "nothing is in level {}", level);
                for node in nodes {
                    levels.insert(plan.nodes[node].path.clone(), level);
                }
            }
            let expected = Model::from_sample(&sample).levels();
            composites.set(composites.get() + plan.scopes.len() - 1);
            deepest.set(
                deepest
                    .get()
                    .max(expected.values().copied().max().unwrap_or(0)),
            );
            prop_assert_eq!(levels, expected);
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    // The test is only meaningful with enough sound and complex samples.
    assert!(tried.get() <= 2 * cases, "{tried:?}");
    assert!(composites.get() >= 100, "{composites:?}");
    assert!(deepest.get() >= 5, "{deepest:?}");
}

fn plan(sample: &Sample) -> Option<std::sync::Arc<Plan>> {
    let bench = Bench::new("order", &sample.text());
    bench
        .at_once(bench.capstan.skill_plans().skill("flow"))
        .ok()
}

/// Checks that every node comes after the nodes that it needs.
fn check_topological_order(plan: &Plan) -> Result<(), TestCaseError> {
    let mut paths = BTreeSet::new();
    let mut open: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, node) in plan.nodes.iter().enumerate() {
        prop_assert!(node.after.iter().all(|before| *before < index), "{index}");
        prop_assert!(node.needs.is_subset(&node.after), "{index}");
        // The steps that it reads by name must have finished.
        for path in node.inputs.iter().flat_map(|(_, given)| given.paths()) {
            let text = path.to_string();
            for (other, step) in plan.nodes.iter().enumerate() {
                let reads = text.contains(&format!("{}.output", step.name));
                let gives = step.scope == node.scope && !matches!(step.kind, NodeKind::Begin(_));
                if reads && gives && text.trim_start_matches('$').starts_with(&step.name) {
                    prop_assert!(node.after.contains(&other), "{text} of {}", node.path);
                }
            }
        }
        match node.kind {
            NodeKind::Begin(scope) => {
                prop_assert_eq!(open.insert(scope, index), None);
            }
            NodeKind::Run(_) => {
                prop_assert!(paths.insert(node.path.clone()), "{} twice", node.path);
                if let Some(begin) = open.get(&node.scope) {
                    prop_assert!(node.after.contains(begin) && node.needs.contains(begin));
                }
            }
            NodeKind::End(scope) => {
                let inside = plan
                    .nodes
                    .iter()
                    .enumerate()
                    .filter(|(_, it)| it.scope == scope);
                for (inner, _) in inside {
                    prop_assert!(node.after.contains(&inner) && open[&scope] < inner);
                }
            }
        }
    }
    Ok(())
}
