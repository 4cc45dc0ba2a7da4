//! Dispatches mutations to their resolvers and completes their payloads.

use super::input::Input;
use super::{comments, issues, labels, people, pulls, reviews};
use crate::graphql::field::Field;
use crate::graphql::value::{FieldResult, Record, ResolveError, record};
use crate::world::{Viewer, World};

/// The result of a mutation: its payload without `clientMutationId`.
pub(super) type MutationResult = Result<Record, ResolveError>;

/// Executes a mutation; `None` if it is not modelled.
pub(in crate::graphql) fn resolve(
    world: &mut World,
    viewer: &Viewer,
    field: &Field<'_>,
) -> Option<FieldResult> {
    let input = Input::new(field);
    let result = dispatch(world, viewer, &input, field)?;
    Some(result.map(|payload| {
        let id = input.text("clientMutationId");
        Some(payload.with("clientMutationId", id).into())
    }))
}

fn dispatch(
    world: &mut World,
    viewer: &Viewer,
    input: &Input,
    field: &Field<'_>,
) -> Option<MutationResult> {
    let name = field.name();
    let payload = record(field.type_name());
    let resolvers = [
        issues::resolve,
        labels::resolve,
        people::resolve,
        comments::resolve,
        pulls::resolve,
        reviews::resolve,
    ];
    let mut resolvers = resolvers.into_iter();
    resolvers.find_map(|resolve| resolve(world, viewer, name, input, payload.clone()))
}
