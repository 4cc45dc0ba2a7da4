//! What the names in `composes` mean.

use crate::library::Outsider;
use crate::resolve::{Resolution, chosen_version};
use crate::skill::{Compose, Skill};
use crate::{Library, Outside};

/// What a composition leads to.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// The number of a skill.
    Skill(usize),
    Outside(Box<Outsider>),
    Nothing,
}

/// Skills go before what is called so elsewhere.
pub(crate) fn target(
    library: &Library,
    outside: &dyn Outside,
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

/// The skills that one is made of directly, each with where it says so.
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
