//! Finds who carries out a mutation, and completes its payload.

use super::input::Input;
use super::{comments, issues, labels, people, pulls, reviews};
use crate::graphql::answer::{Answer, Failure, Record, record};
use crate::graphql::field::Field;
use crate::world::{Viewer, World};

/// What a mutation answers: its payload without `clientMutationId`.
pub(super) type Outcome = Result<Record, Failure>;

pub(in crate::graphql) fn resolve(world: &mut World, viewer: &Viewer, field: &Field<'_>) -> Answer {
    let input = Input::new(field);
    let payload = dispatch(world, viewer, &input, field)?;
    Ok(Some(
        payload
            .with("clientMutationId", input.text("clientMutationId"))
            .into(),
    ))
}

fn dispatch(world: &mut World, viewer: &Viewer, input: &Input, field: &Field<'_>) -> Outcome {
    let name = field.name();
    let payload = record(field.type_name());
    let outcomes = [
        issues::resolve,
        labels::resolve,
        people::resolve,
        comments::resolve,
        pulls::resolve,
        reviews::resolve,
    ];
    for resolve in outcomes {
        if let Some(outcome) = resolve(world, viewer, name, input, payload.clone()) {
            return outcome;
        }
    }
    Err(Failure::new(
        "UNPROCESSABLE",
        format!("The mutation `{name}` is not available in this simulation of GitHub."),
    ))
}
