//! Checks which levels may compose which.

use capstan_core::Span;
use capstan_core::similar::suggestions;

use super::parts::Target;
use crate::codes::{
    ATOM_COMPOSES, COMPOSES_NOTHING, COMPOSITE_LEVEL, INCONSISTENT, NOT_FOUND, WORKFLOW_LEVEL,
};
use crate::findings::{DiagnosticExt as _, Findings};
use crate::library::hidden_help;
use crate::near::did_you_mean;
use crate::skill::{Block, Level, Skill};
use crate::{Library, OutsideCapabilities};

/// All skills, the names of the other capabilities, and the other capabilities.
pub(super) type Known<'a> = (
    &'a Library,
    &'a dyn Fn() -> &'a [String],
    &'a dyn OutsideCapabilities,
);

pub(super) fn check(skill: &Skill, findings: &mut Findings) {
    let source = &skill.origin.source;
    let id = &skill.id;
    match skill.level {
        Level::L1 => {
            if let Some(first) = skill.composes.first() {
                let message = format!("L1 skill '{id}' cannot compose other skills");
                let help = "remove `composes`, or raise the `level` to 2";
                findings
                    .error(ATOM_COMPOSES, source, first.skill.span, message)
                    .help(Some(help.to_owned()));
            } else {
                refuse_steps(skill, findings);
            }
            let has_none = skill.composes.is_empty() && skill.runs.is_none();
            if has_none && skill.origin.is_whole {
                let message = format!("L1 skill '{id}' has nothing to run");
                let help = "say what it runs with `card`, `tool`, `capability` or `code`";
                findings
                    .error(INCONSISTENT, source, skill.origin.id, message)
                    .help(Some(help.to_owned()));
            }
        }
        level @ (Level::L2 | Level::L3) => {
            if skill.composes.is_empty() && (skill.origin.is_whole || skill.runs.is_some()) {
                let message = format!("{level} skill '{id}' must compose at least one skill");
                let help = match &skill.runs {
                    Some(_) => "a skill that runs one thing is an L1 skill: `level: 1`",
                    None => "list its steps: `composes: [ … ]`",
                };
                findings
                    .error(COMPOSES_NOTHING, source, skill.origin.level, message)
                    .help(Some(help.to_owned()));
            }
            if let Some(runs) = &skill.runs {
                let key = runs.value.key();
                let message =
                    format!("{level} skill '{id}' has a `{key}`, which only L1 skills run");
                let help = format!("write an L1 skill with this `{key}`, and compose it");
                findings
                    .error(INCONSISTENT, source, runs.span, message)
                    .help(Some(help));
            }
        }
    }
}

/// Reports fields that make sense only with steps, which would otherwise be ignored silently.
fn refuse_steps(skill: &Skill, findings: &mut Findings) {
    fn first(blocks: &[Block]) -> Option<Span> {
        blocks.iter().find_map(|block| match block {
            Block::Step(step) => Some(step.step.span),
            Block::Parallel(members) => first(members),
        })
    }
    let execution = first(&skill.execution).map(|span| ("execution", span));
    let outputs = skill.outputs.first();
    let outputs = outputs.map(|(name, _)| ("outputs", name.span));
    for (field, span) in execution.into_iter().chain(outputs) {
        let message = format!("L1 skill '{}' has `{field}`, but no steps", skill.id);
        let help = format!(
            "remove `{field}`, or write an L2 skill that composes '{}'",
            skill.id
        );
        findings
            .error(INCONSISTENT, &skill.origin.source, span, message)
            .help(Some(help));
    }
}

/// Checks one entry of `composes`.
pub(super) fn check_part(
    skill: &Skill,
    name: &str,
    span: Span,
    target: &Target,
    (library, outsiders, outside): Known<'_>,
    findings: &mut Findings,
) {
    let source = &skill.origin.source;
    let level = match target {
        Target::Skill(index) => library.skill(*index).level,
        Target::Outside(_) => Level::L1,
        Target::Nothing => {
            let near = || {
                let known = library.ids().chain(outsiders().iter().map(String::as_str));
                did_you_mean(&suggestions(name, known))
            };
            let hidden = outside.is_hidden(name).then(|| hidden_help(name));
            let help = hidden.or_else(near).unwrap_or_else(|| {
                "no known skill, card, tool or code has this name: name its folder with `--skills` \
                 or `--cards`"
                    .to_owned()
            });
            findings
                .error(NOT_FOUND, source, span, format!("Skill '{name}' not found"))
                .help(Some(help));
            return;
        }
    };
    let id = &skill.id;
    match (skill.level, level) {
        (Level::L2, Level::L2 | Level::L3) => {
            let message =
                format!("L2 skill '{id}' can only compose L1 skills, but '{name}' is {level}");
            let help = "make this one a workflow (`level: 3`), or compose the steps of the other";
            findings
                .error(COMPOSITE_LEVEL, source, span, message)
                .help(Some(help.to_owned()));
        }
        (Level::L3, Level::L3) => {
            let message = format!("L3 skill '{id}' cannot compose another L3 skill ('{name}')");
            let help = "compose its L2 and L1 skills instead";
            findings
                .error(WORKFLOW_LEVEL, source, span, message)
                .help(Some(help.to_owned()));
        }
        _ => {}
    }
}
