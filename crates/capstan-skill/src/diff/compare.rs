//! Compares two versions of a skill part by part.

use super::change::{ChangedPart, Diff, Impact, SkillChange};
use super::{ComparedSkill, inside, promises, schemas};
use crate::Bump;

/// Returns the changes between two versions of a skill, from the view of its callers.
///
/// What a skill does not declare is inferred from its parts if possible. Otherwise it may take, return and do
/// anything.
pub fn diff<'a>(old: impl Into<ComparedSkill<'a>>, new: impl Into<ComparedSkill<'a>>) -> Diff {
    let (before, now) = (old.into(), new.into());
    let (old, new) = (before.skill, now.skill);
    let mut changes = Changes::default();
    promises::compare_name_and_level(old, new, &mut changes);
    schemas::compare(before, now, &mut changes);
    promises::compare_effects(before, now, &mut changes);
    promises::compare_deprecation(old, new, &mut changes);
    inside::compare(old, new, &mut changes);
    let Changes {
        found: changes,
        notes,
    } = changes;
    let worst = changes.iter().map(|it| it.impact).max();
    Diff {
        due: worst.map_or(Bump::None, Impact::due),
        declared: new.version.bump_from(&old.version),
        changes,
        notes,
    }
}

/// The changes that were found so far.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) found: Vec<SkillChange>,
    pub(super) notes: Vec<String>,
}

impl Changes {
    pub(super) fn add(
        &mut self,
        part: ChangedPart,
        path: &str,
        impact: Impact,
        message: impl Into<String>,
    ) {
        self.found.push(SkillChange {
            part,
            path: path.to_owned(),
            impact,
            message: message.into(),
        });
    }
}
