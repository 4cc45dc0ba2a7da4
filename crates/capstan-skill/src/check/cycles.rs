//! Rule 4: nothing composes itself, however indirectly.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::Library;
use crate::codes::CYCLE;
use crate::findings::{Findings, More as _};
use crate::graph::{Graph, elementary_cycles, one_cycle_each};

/// Eight skills that all compose each other have 16,064 cycles: beyond this, listing them helps nobody.
const MOST: usize = 10_000;

/// Tells of every circle; gives the skills that are part of one.
pub(super) fn check(library: &Library, graph: &Graph, findings: &mut Findings) -> BTreeSet<usize> {
    let found = elementary_cycles(graph, MOST);
    let circles = match found.complete {
        true => found.cycles,
        false => one_cycle_each(graph),
    };
    for circle in &circles {
        tell(library, circle, found.complete, findings);
    }
    let part = crate::graph::components(graph)
        .into_iter()
        .filter(|component| {
            let only = component.first().copied().unwrap_or_default();
            component.len() > 1 || graph.successors(only).contains(&only)
        });
    part.flatten().collect()
}

fn tell(library: &Library, circle: &[usize], complete: bool, findings: &mut Findings) {
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
    if !complete {
        help.push_str("\nThere are more circles here than can be listed; this is a shortest one.");
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
