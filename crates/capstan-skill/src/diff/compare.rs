//! Two versions of a skill, compared part by part.

use super::change::{Diff, Impact, Part, SkillChange};
use super::{Seen, inside, promises, schemas};
use crate::Bump;

/// What changed between two versions of a skill, for those who use it.
///
/// What a skill does not state is what its parts make of it, where that is known. Else it may take anything,
/// give anything and do anything.
pub fn diff<'a>(old: impl Into<Seen<'a>>, new: impl Into<Seen<'a>>) -> Diff {
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

/// What was found so far.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) found: Vec<SkillChange>,
    pub(super) notes: Vec<String>,
}

impl Changes {
    pub(super) fn add(
        &mut self,
        part: Part,
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
