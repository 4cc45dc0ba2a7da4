//! Checks that no skill composes itself, directly or indirectly.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::Library;
use crate::codes::CYCLE;
use crate::findings::{DiagnosticExt as _, Findings};
use crate::graph::{Cycles, Graph, components, counted_cycles, one_cycle_each};

/// The largest number of cycles that are listed. Eight skills that all compose each other have 16,064 cycles;
/// a longer list helps nobody.
const MOST: usize = 10_000;

/// Reports every cycle, and returns the skills that are part of one.
pub(super) fn check(library: &Library, graph: &Graph, findings: &mut Findings) -> BTreeSet<usize> {
    let found = counted_cycles(graph, MOST);
    let not_shown = not_shown(&found);
    let components = components(graph);
    let mut circles = found.cycles;
    if !found.is_counted {
        // The search may have stopped before it reached some of the skills.
        circles.extend(circles_elsewhere(graph, &components, &circles));
    }
    for (index, circle) in circles.iter().enumerate() {
        let note = if index == 0 {
            not_shown.as_deref()
        } else {
            None
        };
        report(library, circle, note, findings);
    }
    let part = components.into_iter().filter(|component| {
        let only = component.first().copied().unwrap_or_default();
        component.len() > 1 || graph.successors(only).contains(&only)
    });
    part.flatten().collect()
}

/// Says how many cycles are not listed.
fn not_shown(found: &Cycles) -> Option<String> {
    let shown = found.cycles.len();
    match (found.more, found.is_counted) {
        (0, true) => None,
        (1, true) => Some("1 more cycle is not shown.".to_owned()),
        (more, true) => Some(format!("{more} more cycles are not shown.")),
        (0, false) => Some("There are too many cycles to find them all.".to_owned()),
        (more, false) => Some(format!(
            "The first {shown} cycles are shown; more than {more} are not."
        )),
    }
}

/// Returns a shortest cycle of each component that has no cycle among the known ones.
fn circles_elsewhere(
    graph: &Graph,
    components: &[Vec<usize>],
    known: &[Vec<usize>],
) -> Vec<Vec<usize>> {
    let starts: BTreeSet<usize> = known.iter().filter_map(|it| it.first().copied()).collect();
    let told = components
        .iter()
        .filter(|it| it.iter().any(|node| starts.contains(node)));
    let told: BTreeSet<usize> = told.flatten().copied().collect();
    let mut circles = one_cycle_each(graph);
    circles.retain(|circle| circle.iter().all(|node| !told.contains(node)));
    circles
}

fn report(library: &Library, circle: &[usize], note: Option<&str>, findings: &mut Findings) {
    let name = |index: usize| library.skill(index).id.as_str();
    let around: Vec<_> = circle.iter().chain(circle.first()).copied().collect();
    let shown: Vec<_> = around.iter().map(|index| name(*index)).collect();
    let message = format!("Circular dependency detected: {}", shown.join(" → "));
    let mut help =
        "This creates an infinite loop. One of these compositions must be removed:".to_owned();
    for pair in around.windows(2) {
        if let [from, to] = pair {
            help.push_str(&format!("\n- {} composes {}", name(*from), name(*to)));
        }
    }
    if let Some(note) = note {
        help.push_str(&format!("\n{note}"));
    }
    let (Some(first), Some(second)) = (around.first(), around.get(1)) else {
        return;
    };
    let skill = library.skill(*first);
    let place = skill
        .composes
        .iter()
        .find(|compose| compose.skill.value == name(*second))
        .map_or(skill.origin.id, |compose| compose.skill.span);
    let found = findings.error(CYCLE, &skill.origin.source, place, message);
    found.help(Some(help));
    for pair in around.windows(2).skip(1) {
        let (one, other) = (library.skill(pair[0]), name(pair[1]));
        let compose = one.composes.iter().find(|it| it.skill.value == other);
        if let (Some(compose), true) = (
            compose,
            Arc::ptr_eq(&one.origin.source, &skill.origin.source),
        ) {
            let label = format!("{} composes {other}", one.id);
            found.label(compose.skill.span, label);
        }
    }
}
