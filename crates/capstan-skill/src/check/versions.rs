//! Versions: every requirement must be satisfied.

use capstan_core::similar::suggestions;
use std::sync::Arc;

use crate::Library;
use crate::codes::{NOT_FOUND, VERSIONS};
use crate::findings::{DiagnosticExt as _, Findings};
use crate::near::did_you_mean;
use crate::resolve::{Conflict, Resolution, VersionRequest};
use crate::skill::{Requirement, Skill};

pub(super) fn check(
    library: &Library,
    root: usize,
    conflicts: &[Conflict<'_>],
    findings: &mut Findings,
) {
    let skill = library.skill(root);
    let source = &skill.origin.source;
    for Conflict { id, asks, locked } in conflicts {
        let asked = distinct(asks);
        let requester = |ask: &VersionRequest<'_>| library.skill(ask.requester).id.as_str();
        let message = match (locked, asked.as_slice()) {
            (Some(version), _) => format!(
                "'{id}' is locked at {version}, {}",
                if library.has_version(id, version) {
                    "which does not satisfy all requirements"
                } else {
                    "which does not exist"
                }
            ),
            (None, [only]) => format!(
                "no version of '{id}' satisfies '{}', which requires {}",
                requester(only),
                only.range.value
            ),
            _ => format!("no version of '{id}' satisfies all requirements"),
        };
        let own = asked.iter().find(|ask| ask.requester == root);
        let composed = skill.composes.iter().find(|it| it.skill.value == *id);
        // If only its parts require the skill, the conflict is where the parts are composed.
        let composed = composed.or(skill.composes.first());
        let place = match (own, composed) {
            (Some(ask), _) => ask.range.span,
            (None, Some(compose)) => compose.skill.span,
            (None, None) => skill.origin.id,
        };
        let found = findings.error(VERSIONS, source, place, message);
        let mut help = help(library, id, &asked);
        if locked.is_some() {
            help.insert_str(0, "`capstan skill lock` chooses again; ");
        }
        found.help(Some(help));
        for ask in &asked {
            let here = Arc::ptr_eq(source, &library.skill(ask.requester).origin.source);
            if here && ask.range.span != place {
                let label = format!("'{}' requires {}", requester(ask), ask.range.value);
                found.label(ask.range.span, label);
            }
        }
    }
}

/// Checks requirements on skills that are not part of this skill: a matching version must exist.
pub(super) fn check_required(
    library: &Library,
    skill: &Skill,
    resolution: &Resolution,
    findings: &mut Findings,
) {
    let source = &skill.origin.source;
    for Requirement {
        skill: name,
        version,
    } in &skill.requires
    {
        let id = name.value.as_str();
        let composed = skill.composes.iter().any(|it| it.skill.value == id);
        if composed || resolution.contains_key(id) {
            continue;
        }
        if !library.contains(id) {
            let help = did_you_mean(&suggestions(id, library.ids()));
            let message = format!("Skill '{id}' not found");
            findings
                .error(NOT_FOUND, source, name.span, message)
                .help(help);
            continue;
        }
        let mut versions = library.versions(id).iter();
        if !versions.any(|index| version.value.allows(&library.skill(*index).version)) {
            let range = &version.value;
            let message = format!(
                "no version of '{id}' satisfies '{}', which requires {range}",
                skill.id
            );
            findings
                .error(VERSIONS, source, version.span, message)
                .help(Some(help(library, id, &[])));
        }
    }
}

/// Returns each request once, in the original order.
fn distinct<'a>(asks: &[VersionRequest<'a>]) -> Vec<VersionRequest<'a>> {
    let mut all: Vec<VersionRequest<'a>> = Vec::new();
    for ask in asks {
        let same = |it: &VersionRequest<'a>| {
            it.requester == ask.requester && it.range.value == ask.range.value
        };
        if !all.iter().any(same) {
            all.push(ask.clone());
        }
    }
    all
}

/// Lists the existing versions, and which of them each requester accepts.
fn help(library: &Library, id: &str, asked: &[VersionRequest<'_>]) -> String {
    let all = library.versions(id).iter();
    let all: Vec<_> = all.map(|index| &library.skill(*index).version).collect();
    let listed = |versions: &[&crate::Version]| {
        let words: Vec<_> = versions.iter().map(ToString::to_string).collect();
        match words.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => words.join(""),
        }
    };
    let mut help = match all.len() {
        1 => format!("there is only {}", listed(&all)),
        _ => format!("there are {}", listed(&all)),
    };
    if asked.len() < 2 {
        return help;
    }
    help.push(':');
    for ask in asked {
        let skill = library.skill(ask.requester);
        let source = &skill.origin.source;
        let line = source.position(ask.range.span.start).line;
        let range = &ask.range.value;
        let fits: Vec<_> = all.iter().filter(|it| range.allows(it)).copied().collect();
        let fits = if fits.is_empty() {
            "none".to_owned()
        } else {
            listed(&fits)
        };
        help.push_str(&format!(
            "\n- '{}' requires {range}: {fits} would do ({}:{line})",
            skill.id, source.name
        ));
    }
    help
}
