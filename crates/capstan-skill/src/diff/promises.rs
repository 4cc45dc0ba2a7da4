//! Compares what a skill declares besides its schemas.

use super::change::{ChangedPart, Impact};
use super::compare::Changes;
use super::seen::ComparedSkill;
use crate::{Deprecation, OperationClass, Skill};

pub(super) fn compare_name_and_level(old: &Skill, new: &Skill, found: &mut Changes) {
    if old.id != new.id {
        let message = format!("Id is `{}`, was `{}`", new.id, old.id);
        found.add(ChangedPart::Name, "", Impact::Breaking, message);
    }
    if old.level != new.level {
        // The higher the level of a skill, the fewer levels can compose it.
        let (impact, what) = if new.level > old.level {
            (
                Impact::Breaking,
                format!(
                    "{} skills can no longer compose it",
                    levels_between(old, new)
                ),
            )
        } else {
            (
                Impact::Compatible,
                format!("{} skills can compose it now", levels_between(new, old)),
            )
        };
        let message = format!("Is {}, was {}: {what}", new.level, old.level);
        found.add(ChangedPart::Level, "", impact, message);
    }
}

/// Lists the levels that can compose the lower of two skills but not the higher.
fn levels_between(lower: &Skill, higher: &Skill) -> String {
    let levels = lower.level.number() + 1..=higher.level.number();
    let levels: Vec<_> = levels.map(|level| format!("L{level}")).collect();
    levels.join(" and ")
}

pub(super) fn compare_effects(old: ComparedSkill<'_>, new: ComparedSkill<'_>, found: &mut Changes) {
    compare_operations(old.operation(), new.operation(), found);
    let part = ChangedPart::Effects;
    match (old.effects(), new.effects()) {
        (Some(old), Some(new)) => {
            let (before, now) = (distinct(old), distinct(new));
            for added in now.iter().filter(|it| !before.contains(it)) {
                let message = format!("Effect '{added}' was added");
                found.add(part, added, Impact::Breaking, message);
            }
            for gone in before.iter().filter(|it| !now.contains(it)) {
                let message = format!("Effect '{gone}' was removed");
                found.add(part, gone, Impact::Compatible, message);
            }
        }
        (None, Some(_)) => found.add(part, "", Impact::Compatible, "Effects are now declared"),
        (Some(_), None) => {
            let message = "Effects are no longer declared";
            found.add(part, "", Impact::Breaking, message);
        }
        (None, None) => {}
    }
}

fn compare_operations(
    old: Option<OperationClass>,
    new: Option<OperationClass>,
    found: &mut Changes,
) {
    let (impact, message) = match (old, new) {
        (Some(old), Some(new)) if old == new => return,
        (None, None) => return,
        (Some(old), Some(new)) => {
            let (impact, verb) = if new > old {
                (Impact::Breaking, "raised")
            } else {
                (Impact::Compatible, "lowered")
            };
            let (old, new) = (old.as_str(), new.as_str());
            (impact, format!("Operation was {verb} from {old} to {new}"))
        }
        (None, Some(new)) => {
            let message = format!("Operation is now declared: {}", new.as_str());
            (Impact::Compatible, message)
        }
        (Some(old), None) => {
            // WRITE already allows everything, so callers lose nothing.
            let impact = match old {
                OperationClass::Write => Impact::Compatible,
                OperationClass::Read | OperationClass::Transform => Impact::Breaking,
            };
            let message = format!("Operation is no longer declared: was {}", old.as_str());
            (impact, message)
        }
    };
    found.add(ChangedPart::Operation, "", impact, message);
}

pub(super) fn compare_deprecation(old: &Skill, new: &Skill, found: &mut Changes) {
    let said = |it: &Deprecation| {
        let sunset = it.sunset.as_ref().map(|day| day.value.clone());
        (it.since.clone(), sunset, it.replacement.clone())
    };
    let message = match (&old.deprecated, &new.deprecated) {
        (None, Some(now)) => {
            let sunset = now.sunset.as_ref();
            let until = sunset.map(|day| format!(", until {}", day.value));
            let instead = now.replacement.as_ref();
            let instead = instead.map(|it| format!(": use `{it}`"));
            let until = until.unwrap_or_default();
            format!("Is now deprecated{until}{}", instead.unwrap_or_default())
        }
        (Some(_), None) => "Is no longer deprecated".to_owned(),
        (Some(old), Some(new)) if said(old) != said(new) => "Deprecation changed".to_owned(),
        _ => return,
    };
    found.add(ChangedPart::Deprecation, "", Impact::Compatible, message);
}

fn distinct(effects: &[String]) -> Vec<&str> {
    let mut distinct: Vec<&str> = Vec::new();
    for effect in effects {
        if !distinct.contains(&effect.as_str()) {
            distinct.push(effect);
        }
    }
    distinct
}
