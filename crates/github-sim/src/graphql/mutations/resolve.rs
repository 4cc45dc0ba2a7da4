//! Dispatches mutations to their resolvers and completes their payloads.

use super::input::Input;
use super::{comments, issues, labels, people, pulls, reviews};
use crate::graphql::field::Field;
use crate::graphql::value::{FieldResult, Record, ResolveError, record};
use crate::world::{Viewer, World};

/// The result of a mutation: its payload without `clientMutationId`.
pub(super) type MutationResult = Result<Record, ResolveError>;

pub(in crate::graphql) fn resolve(
    world: &mut World,
    viewer: &Viewer,
    field: &Field<'_>,
) -> FieldResult {
    let input = Input::new(field);
    let payload = dispatch(world, viewer, &input, field)?;
    Ok(Some(
        payload
            .with("clientMutationId", input.text("clientMutationId"))
            .into(),
    ))
}

fn dispatch(
    world: &mut World,
    viewer: &Viewer,
    input: &Input,
    field: &Field<'_>,
) -> MutationResult {
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
    for resolve in resolvers {
        if let Some(result) = resolve(world, viewer, name, input, payload.clone()) {
            return result;
        }
    }
    Err(ResolveError::new(
        "UNPROCESSABLE",
        format!("The mutation `{name}` is not available in this simulation of GitHub."),
    ))
}
