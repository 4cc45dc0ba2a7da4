//! Which versions a skill is made of: for each name the newest that everybody who is a part of it asks
//! for, or the one that was written down.

use std::collections::{BTreeMap, BTreeSet};

use crate::skill::{Compose, Skill};
use crate::{Library, Placed, Range, Version};

/// By name: the number of the skill in the library.
pub(crate) type Resolution = BTreeMap<String, usize>;

/// Somebody who asks for a version of something.
#[derive(Clone, Debug)]
pub(crate) struct Asks<'a> {
    pub(crate) who: usize,
    pub(crate) range: &'a Placed<Range>,
}

/// Nothing satisfies them all.
#[derive(Debug)]
pub(crate) struct Conflict<'a> {
    pub(crate) id: String,
    pub(crate) asks: Vec<Asks<'a>>,
    /// The version that was written down, where that is what does not fit.
    pub(crate) locked: Option<Version>,
}

/// How often what was chosen may change what is asked for. Compositions are three levels deep.
const ROUNDS: usize = 8;

/// For everything that the skill is made of, however deep.
pub(crate) fn resolve(library: &Library, root: usize) -> (Resolution, Vec<Conflict<'_>>) {
    let name = library.skill(root).full_name();
    let mut chosen = Resolution::new();
    let mut conflicts = Vec::new();
    for _ in 0..ROUNDS {
        let asked = asked(library, root, &chosen);
        let mut next = Resolution::new();
        conflicts = Vec::new();
        for (id, asks) in asked {
            let fits = |index: &&usize| {
                let version = &library.skill(**index).version;
                asks.iter().all(|ask| ask.range.value.allows(version))
            };
            let versions = library.versions(&id);
            let locked = library.lock().version(&name, &id);
            let is_meant = |index: &&usize| match locked {
                Some(locked) => library.skill(**index).version == *locked && fits(index),
                None => fits(index),
            };
            let found = versions.iter().find(is_meant);
            // One that does not exist in any version is told by others.
            if let Some(index) = found.or(versions.first()) {
                if found.is_none() {
                    conflicts.push(Conflict {
                        id: id.clone(),
                        asks,
                        locked: locked.cloned(),
                    });
                }
                next.insert(id, *index);
            }
        }
        if next == chosen {
            break;
        }
        chosen = next;
    }
    (chosen, conflicts)
}

/// What a skill asks for of one of its parts.
pub(crate) fn ranges<'a>(
    skill: &'a Skill,
    compose: &'a Compose,
) -> impl Iterator<Item = &'a Placed<Range>> {
    let required = skill
        .requires
        .iter()
        .filter(|it| it.skill.value == compose.skill.value)
        .map(|it| &it.version);
    compose.version.iter().chain(required)
}

/// Who asks for what, with what is chosen so far.
fn asked<'a>(
    library: &'a Library,
    root: usize,
    chosen: &Resolution,
) -> BTreeMap<String, Vec<Asks<'a>>> {
    let mut asked: BTreeMap<String, Vec<Asks<'a>>> = BTreeMap::new();
    let mut seen = vec![root];
    let mut known = BTreeSet::from([root]);
    let mut next = 0;
    while let Some(&who) = seen.get(next) {
        next += 1;
        let skill = library.skill(who);
        for compose in &skill.composes {
            let id = compose.skill.value.as_str();
            if !library.contains(id) {
                continue;
            }
            let asks = asked.entry(id.to_owned()).or_default();
            asks.extend(ranges(skill, compose).map(|range| Asks { who, range }));
            let part = chosen.get(id).or(library.versions(id).first());
            if let Some(part) = part.filter(|part| known.insert(**part)) {
                seen.push(*part);
            }
        }
    }
    // Also of what only the parts of a skill are made of.
    for who in seen {
        let skill = library.skill(who);
        for requirement in &skill.requires {
            let id = requirement.skill.value.as_str();
            let composed = skill.composes.iter().any(|it| it.skill.value == id);
            if let Some(asks) = asked.get_mut(id).filter(|_| !composed) {
                let range = &requirement.version;
                asks.push(Asks { who, range });
            }
        }
    }
    asked
}
