//! Two versions of a skill, compared part by part.

use super::change::{Diff, Impact, Part, SkillChange};
use super::{inside, promises, schemas};
use crate::{Bump, Skill};

/// What changed between two versions of a skill, for those who use it.
///
/// What a skill does not state it does not promise: it may take anything, give anything and do anything.
pub fn diff(old: &Skill, new: &Skill) -> Diff {
    let mut changes = Changes::default();
    promises::compare_name_and_level(old, new, &mut changes);
    schemas::compare(old, new, &mut changes);
    promises::compare_effects(old, new, &mut changes);
    promises::compare_deprecation(old, new, &mut changes);
    inside::compare(old, new, &mut changes);
    let changes = changes.found;
    let worst = changes.iter().map(|it| it.impact).max();
    Diff {
        due: worst.map_or(Bump::None, Impact::due),
        declared: new.version.bump_from(&old.version),
        changes,
    }
}

/// What was found so far.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) found: Vec<SkillChange>,
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
