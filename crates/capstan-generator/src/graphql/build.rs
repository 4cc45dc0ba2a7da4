//! The catalogue of a schema.

use std::collections::{BTreeMap, BTreeSet};

use super::audience::audience_of;
use super::naming::id_of;
use super::operation::{RootField, RootKind};
use super::outline::outline_of;
use super::projection::Projector;
use super::rules::GraphqlRules;
use super::schema::GraphqlSchema;
use crate::catalogue::{Catalogue, Origin};
use crate::problem::Problem;
use crate::rules::lookup;

/// Builds the outlines of all root fields of these kinds, or returns all problems. `taken` has ids that other cards
/// have; an outline whose id is taken gets another one.
pub fn catalogue_from_schema(
    schema: &GraphqlSchema,
    rules: &GraphqlRules,
    kinds: &[RootKind],
    taken: &BTreeSet<String>,
) -> Result<Catalogue, Vec<Problem>> {
    let roots = kinds.iter().flat_map(|kind| schema.roots(*kind));
    let roots: Vec<RootField<'_>> = roots.collect();
    let mut problems = unknown_names(&roots, rules);
    let mut outlines = BTreeMap::new();
    let projector = Projector { schema, rules };
    let is_described = |root: &&RootField<'_>| {
        lookup(&rules.left_out, root.name()).is_none()
            && lookup(&rules.written, root.name()).is_none()
    };
    for root in roots.iter().filter(is_described) {
        let built = id_of(*root, rules)
            .and_then(|id| outline_of(*root, projector).map(|outline| (id, outline)));
        let (id, mut outline) = match built {
            Ok(built) => built,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        outline.audience = audience_of(&id, rules);
        let is_free = |id: &str| !taken.contains(id) && !outlines.contains_key(id);
        match free_id(id, *root, rules, is_free) {
            Ok(id) => {
                outlines.insert(id, outline);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() {
        Ok(Catalogue {
            outlines,
            origin: Origin::Graphql,
        })
    } else {
        Err(problems)
    }
}

/// Returns an id that no other outline has.
fn free_id(
    id: String,
    root: RootField<'_>,
    rules: &GraphqlRules,
    is_free: impl Fn(&str) -> bool,
) -> Result<String, Problem> {
    if is_free(&id) {
        return Ok(id);
    }
    let other = if rules.suffix.is_empty() {
        let kind = format!("{id}_{}", root.kind.keyword());
        let numbered = (2..100).map(|number| format!("{id}_{number}"));
        [kind].into_iter().chain(numbered).find(|id| is_free(id))
    } else {
        let suffixed = format!("{id}{}", rules.suffix);
        Some(suffixed).filter(|id| is_free(id))
    };
    other.ok_or_else(|| {
        let message = format!("another card has the id `{id}`: add one to `ids` in the rules");
        Problem::new(root.name(), message)
    })
}

/// Returns a problem for each exception whose root field does not exist.
fn unknown_names(roots: &[RootField<'_>], rules: &GraphqlRules) -> Vec<Problem> {
    let names: BTreeSet<&str> = roots.iter().map(RootField::name).collect();
    let unknown = rules.named_operations().into_iter();
    unknown
        .filter(|(name, _)| !names.contains(name))
        .map(|(name, because)| {
            Problem::new(name, format!("there is no such root field ({because})"))
        })
        .collect()
}
