//! Dispatches fields to the resolver of their type, and resolves the fields that all nodes share.

use super::context::Context;
use super::url::{resource_path, url};
use super::{
    account, comment, commit, issue, label, pull_request, release, repository, review, workflow,
};
use crate::graphql::field::Field;
use crate::graphql::value::{FieldResult, FieldValue, some};
use crate::world::Located;

/// Resolves a field of a node.
pub(in crate::graphql) fn resolve(
    context: &Context<'_>,
    place: &Located,
    field: &Field<'_>,
) -> FieldResult {
    let own = match place {
        Located::User(login) | Located::Bot(login) => account::user(context, login, field),
        Located::Organization(login) => account::organization(context, login, field),
        Located::IssueType(login, id) => account::issue_type(context, login, *id, field),
        Located::Repository(repo) => repository::resolve(context, *repo, field),
        Located::Issue(at) => issue::resolve(context, *at, field),
        Located::PullRequest(at) => pull_request::resolve(context, *at, field),
        Located::Label(repo, id) => label::label(context, *repo, *id, field),
        Located::Milestone(repo, number) => label::milestone(context, *repo, *number, field),
        Located::Comment(at, id) => comment::resolve(context, *at, *id, field),
        Located::Review(at, id) => review::review(context, *at, *id, field),
        Located::Thread(at, id) => review::thread(context, *at, *id, field),
        Located::ReviewComment(at, id) => review::comment(context, *at, *id, field),
        Located::Release(repo, id) => release::resolve(context, *repo, *id, field),
        Located::Commit(repo, sha) => commit::commit(context, *repo, sha, field),
        Located::Ref(repo, name) => commit::branch(context, *repo, name, field),
        Located::CheckRun(repo, sha, id) => commit::check_run(context, *repo, sha, *id, field),
        Located::CheckSuite(repo, sha, id) => commit::check_suite(context, *repo, sha, *id, field),
        Located::StatusContext(repo, sha, id) => commit::status(context, *repo, sha, *id, field),
        Located::Workflow(repo, id) => workflow::workflow(context, *repo, *id, field),
        Located::WorkflowRun(repo, id) => workflow::run(context, *repo, *id, field),
    }?;
    match own {
        Some(value) => Ok(Some(value)),
        None => common(context, place, field),
    }
}

/// Resolves the fields that all nodes share.
fn common(context: &Context<'_>, place: &Located, field: &Field<'_>) -> FieldResult {
    match field.name() {
        "id" => some(context.world.node_id(place)),
        "repository" => match place.repo() {
            Some(repo) if field.type_name() == "Repository" => some(Located::Repository(repo)),
            _ => Ok(None),
        },
        "url" | "permalink" => Ok(url(context, place).map(FieldValue::from)),
        "resourcePath" => {
            let address = url(context, place);
            Ok(address.map(|address| FieldValue::from(resource_path(&address))))
        }
        _ => Ok(None),
    }
}
