//! Resolves the names in `composes`.

use crate::library::OutsideCapability;
use crate::resolve::{Resolution, chosen_version};
use crate::skill::{Compose, Skill};
use crate::{Library, OutsideCapabilities};

/// What an entry of `composes` refers to.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// The index of a skill in the library.
    Skill(usize),
    Outside(Box<OutsideCapability>),
    Nothing,
}

/// Resolves an entry of `composes`. Skills take precedence over other capabilities of the same name.
pub(crate) fn target(
    library: &Library,
    outside: &dyn OutsideCapabilities,
    resolution: &Resolution,
    compose: &Compose,
) -> Target {
    let id = compose.skill.value.as_str();
    match chosen_version(library, resolution, id) {
        Some(index) => Target::Skill(index),
        None => match outside.find(id) {
            Some(outsider) => Target::Outside(Box::new(outsider)),
            None => Target::Nothing,
        },
    }
}

/// Returns the skills that a skill composes directly, each with its entry in `composes`.
pub(crate) fn composed<'a>(
    library: &'a Library,
    resolution: &'a Resolution,
    skill: &'a Skill,
) -> impl Iterator<Item = (usize, &'a Compose)> {
    skill.composes.iter().filter_map(|compose| {
        let id = compose.skill.value.as_str();
        chosen_version(library, resolution, id).map(|index| (index, compose))
    })
}
