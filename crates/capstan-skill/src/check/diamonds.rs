//! Warns about a skill that is composed along several paths: it runs once for each of them.

use crate::Library;
use crate::codes::DIAMOND;
use crate::findings::{DiagnosticExt as _, Findings};
use crate::graph::{Diamond, Graph, all_diamonds};

/// The largest number of paths that are listed.
const MOST_WAYS: usize = 5;

pub(super) fn check(library: &Library, graph: &Graph, roots: &[usize], findings: &mut Findings) {
    let found = all_diamonds(graph, roots.iter().copied(), MOST_WAYS);
    for (root, diamonds) in found.below {
        report(library, root, diamonds, findings);
    }
}

fn report(library: &Library, root: usize, diamonds: Vec<Diamond>, findings: &mut Findings) {
    let skill = library.skill(root);
    let name = |index: usize| library.skill(index).id.as_str();
    for diamond in diamonds {
        let node = library.skill(diamond.node);
        if node.cached {
            // A cached skill runs only once, as the help of this warning recommends.
            continue;
        }
        let mut by: Vec<_> = diamond
            .paths
            .iter()
            .filter_map(|path| path.len().checked_sub(2).map(|index| name(path[index])))
            .collect();
        by.dedup();
        let by: Vec<_> = by.iter().map(|name| format!("'{name}'")).collect();
        let by = match by.as_slice() {
            [one, other] => format!("both {one} and {other}"),
            several => several.join(" and "),
        };
        let id = &node.id;
        let message = format!("Diamond dependency detected: '{id}' is composed by {by}");
        let times = match diamond.paths.len() {
            2 => "twice".to_owned(),
            several => format!("{several} times"),
        };
        let mut help = format!("This means '{id}' will execute {times} per workflow run:");
        for path in &diamond.paths {
            let shown: Vec<_> = path.iter().map(|index| name(*index)).collect();
            help.push_str(&format!("\n  {}", shown.join(" → ")));
        }
        help.push_str(&format!(
            "\nConsider:\n- Extracting shared dependency to workflow level\n\
             - Adding caching to '{id}' (if idempotent): `cache: run`\n\
             - Accepting the duplicate execution (if intentional)"
        ));
        let place = skill.composes.first();
        let place = place.map_or(skill.origin.id, |compose| compose.skill.span);
        findings
            .warning(DIAMOND, &skill.origin.source, place, message)
            .help(Some(help));
    }
}
