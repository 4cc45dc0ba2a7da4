//! `IssueComment`.

use super::context::{Context, actor, html};
use super::reaction;
use crate::graphql::field::Field;
use crate::graphql::value::{FieldResult, FieldValue, some};
use crate::world::{IssueRef, Located, Permission};

pub(super) fn resolve(
    context: &Context<'_>,
    at: IssueRef,
    id: u64,
    field: &Field<'_>,
) -> FieldResult {
    let world = context.world;
    let Some(issue) = world.issue_at(at) else {
        return Ok(None);
    };
    let Some(comment) = issue.comment(id) else {
        return Ok(None);
    };
    let own = comment.author == context.viewer.login;
    match field.name() {
        "body" | "bodyText" => some(&comment.body),
        "bodyHTML" => some(html(&comment.body)),
        "author" => some(actor(context, &comment.author)),
        "authorAssociation" => some(world.association(&comment.author, at.repo).name()),
        "createdAt" | "publishedAt" => some(comment.created_at),
        "updatedAt" => some(comment.updated_at),
        "lastEditedAt" => some(comment.edited.then_some(comment.updated_at)),
        "includesCreatedEdit" => some(comment.edited),
        "editor" if comment.edited => some(actor(context, &comment.author)),
        "databaseId" => some(comment.id),
        "fullDatabaseId" => some(comment.id.to_string()),
        "issue" => some(Located::Issue(at)),
        "pullRequest" => some(if issue.is_pull() {
            FieldValue::Node(Located::PullRequest(at))
        } else {
            FieldValue::Null
        }),
        "viewerDidAuthor" => some(own),
        "viewerCanUpdate" | "viewerCanDelete" | "viewerCanMinimize" => {
            some(own || world.permission(&context.viewer.login, at.repo) >= Permission::Write)
        }
        "viewerCanReact" => some(true),
        _ => reaction::resolve(context, at.repo, &comment.reactions, field),
    }
}
