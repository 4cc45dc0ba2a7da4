//! Versions: everybody gets one that they asked for.

use crate::Library;
use crate::codes::VERSIONS;
use crate::findings::{Findings, More as _};
use crate::resolve::Conflict;

pub(super) fn check(
    library: &Library,
    root: usize,
    conflicts: &[Conflict<'_>],
    findings: &mut Findings,
) {
    let skill = library.skill(root);
    for Conflict { id, asks } in conflicts {
        let versions: Vec<_> = library
            .versions(id)
            .iter()
            .map(|index| library.skill(*index).version.to_string())
            .collect();
        let mut asked: Vec<_> = asks
            .iter()
            .map(|ask| format!("'{}' asks for {}", library.skill(ask.who).id, ask.range))
            .collect();
        asked.dedup();
        let message = match asked.len() {
            1 => format!("no version of '{id}' fits: {}", asked.join("")),
            _ => format!("no version of '{id}' fits everybody: {}", asked.join(", ")),
        };
        let own = skill.composes.iter().find(|it| it.skill.value == *id);
        let place = own.or(skill.composes.first());
        let place = place.map_or(skill.origin.id, |compose| compose.skill.span);
        let help = format!("there are {}", versions.join(", "));
        findings
            .error(VERSIONS, &skill.origin.source, place, message)
            .help(Some(help));
    }
}
