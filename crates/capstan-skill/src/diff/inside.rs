//! Compares what callers do not notice: the parts of a skill, and how they are run.

use super::change::{ChangedPart, Impact, SkillChange};
use super::compare::Changes;
use super::steps::{given, order, steps};
use crate::{Given, Runs, Skill};

pub(super) fn compare(old: &Skill, new: &Skill, found: &mut Changes) {
    compare_runs(old, new, found);
    compare_steps(old, new, found);
    compare_sources(old, new, found);
    let mut report = |differs: bool, part: ChangedPart, message: &str| {
        if differs {
            found.add(part, "", Impact::Internal, message);
        }
    };
    let reordered = order(old, new) != order(new, old);
    report(
        reordered,
        ChangedPart::Composition,
        "Steps run in another order",
    );
    let requires = |skill: &Skill| -> Vec<_> {
        let requires = skill.requires.iter();
        let pairs = requires.map(|it| (it.skill.value.clone(), it.version.value.clone()));
        pairs.collect()
    };
    let required = requires(old) != requires(new);
    report(
        required,
        ChangedPart::Composition,
        "Required versions changed",
    );
    let retry = old.retry != new.retry;
    report(retry, ChangedPart::Execution, "Retries changed");
    let timeout = old.timeout != new.timeout;
    report(timeout, ChangedPart::Execution, "Time limit changed");
    let message = if new.cached {
        "Its result may be reused within one run"
    } else {
        "Its result is no longer reused within one run"
    };
    report(old.cached != new.cached, ChangedPart::Execution, message);
    let described = old.description != new.description;
    report(described, ChangedPart::Description, "Description changed");
    let intents = old.intents != new.intents;
    report(intents, ChangedPart::Description, "Intents changed");
}

fn compare_runs(old: &Skill, new: &Skill, found: &mut Changes) {
    let (before, now) = (
        old.runs.as_ref().map(|it| &it.value),
        new.runs.as_ref().map(|it| &it.value),
    );
    if before == now {
        return;
    }
    let message = match (before, now) {
        (Some(Runs::Code(_)), Some(Runs::Code(_))) => "Its code changed".to_owned(),
        (_, Some(now)) => format!("Runs {} now", what(now)),
        (_, None) => "No longer runs anything of its own".to_owned(),
    };
    found.add(ChangedPart::Runs, "", Impact::Internal, message);
}

fn what(runs: &Runs) -> String {
    match runs {
        Runs::Card(name) | Runs::Tool(name) | Runs::Capability(name) => {
            format!("the {} `{name}`", runs.key())
        }
        Runs::Code(_) => "code".to_owned(),
    }
}

fn compare_steps(old: &Skill, new: &Skill, found: &mut Changes) {
    let (before, now) = (steps(old), steps(new));
    let mut report = |name: &str, message: String| {
        found.add(ChangedPart::Composition, name, Impact::Internal, message);
    };
    for was in &before {
        let name = was.name;
        match now.iter().find(|it| it.name == name) {
            Some(is) => {
                for message in was.differences(is) {
                    report(name, format!("Step '{name}' {message}"));
                }
            }
            None => report(name, format!("Step '{name}' was removed")),
        }
    }
    for is in &now {
        if !before.iter().any(|it| it.name == is.name) {
            report(is.name, format!("Step '{}' was added", is.name));
        }
    }
}

/// Compares the sources of output fields. New and removed fields are already reported.
fn compare_sources(old: &Skill, new: &Skill, found: &mut Changes) {
    let (before, now) = (given(&old.outputs), given(&new.outputs));
    let mut names: Vec<_> = before.iter().chain(&now).map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let source = |all: &[(&str, &Given)]| -> Option<Given> {
            let found = all.iter().find(|(other, _)| *other == name);
            found.map(|(_, given)| (*given).clone())
        };
        let is_told = |it: &SkillChange| it.part == ChangedPart::Output && it.path == name;
        if source(&before) != source(&now) && !found.found.iter().any(is_told) {
            let message = format!("Output field '{name}' has a different source");
            found.add(ChangedPart::Composition, name, Impact::Internal, message);
        }
    }
}
