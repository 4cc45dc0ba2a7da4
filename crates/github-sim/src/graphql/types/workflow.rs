//! `Workflow` and `WorkflowRun`. GraphQL has few fields for them.

use super::context::Context;
use crate::graphql::field::Field;
use crate::graphql::page;
use crate::graphql::value::{FieldResult, some};
use crate::world::{Located, RepoId};

pub(super) fn workflow(
    context: &Context<'_>,
    repo: RepoId,
    id: u64,
    field: &Field<'_>,
) -> FieldResult {
    let Some(repository) = context.world.repo(repo) else {
        return Ok(None);
    };
    let Some(workflow) = repository.workflow(id) else {
        return Ok(None);
    };
    match field.name() {
        "name" => some(&workflow.name),
        "databaseId" => some(workflow.id),
        "state" => some(workflow.state.to_ascii_uppercase()),
        "createdAt" => some(workflow.created_at),
        "updatedAt" => some(workflow.updated_at),
        "runs" => {
            let runs = repository
                .runs
                .iter()
                .rev()
                .filter(|run| run.workflow == id);
            page::connection(
                field,
                runs.map(|run| Located::WorkflowRun(repo, run.id).into())
                    .collect(),
            )
        }
        _ => Ok(None),
    }
}

pub(super) fn run(context: &Context<'_>, repo: RepoId, id: u64, field: &Field<'_>) -> FieldResult {
    let runs = context
        .world
        .repo(repo)
        .into_iter()
        .flat_map(|found| &found.runs);
    let Some(run) = runs.into_iter().find(|run| run.id == id) else {
        return Ok(None);
    };
    match field.name() {
        "databaseId" => some(run.id),
        "runNumber" => some(run.run_number),
        "event" => some(&run.event),
        "createdAt" => some(run.created_at),
        "updatedAt" => some(run.updated_at),
        "workflow" => some(Located::Workflow(repo, run.workflow)),
        _ => Ok(None),
    }
}
