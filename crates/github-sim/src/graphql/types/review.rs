//! `PullRequestReview`, `PullRequestReviewThread` and `PullRequestReviewComment`.

use super::context::{Context, actor, html};
use crate::graphql::field::Field;
use crate::graphql::page;
use crate::graphql::value::{FieldResult, FieldValue, some};
use crate::world::{IssueRef, Located, Permission};

pub(super) fn review(
    context: &Context<'_>,
    at: IssueRef,
    id: u64,
    field: &Field<'_>,
) -> FieldResult {
    let world = context.world;
    let Some(review) = world.find_review(at, id) else {
        return Ok(None);
    };
    match field.name() {
        "state" => some(review.state.name()),
        "body" | "bodyText" => some(&review.body),
        "bodyHTML" => some(html(&review.body)),
        "author" => some(actor(context, &review.author)),
        "authorAssociation" => some(world.association(&review.author, at.repo).name()),
        "authorCanPushToRepository" => {
            some(world.permission(&review.author, at.repo) >= Permission::Write)
        }
        "createdAt" => some(review.created_at),
        "submittedAt" | "publishedAt" => some(review.submitted_at),
        "updatedAt" => some(review.submitted_at.unwrap_or(review.created_at)),
        "commit" => some(Located::Commit(at.repo, review.commit.clone())),
        "databaseId" => some(review.id),
        "fullDatabaseId" => some(review.id.to_string()),
        "pullRequest" => some(Located::PullRequest(at)),
        "viewerDidAuthor" => some(review.author == context.viewer.login),
        "comments" => {
            let pull = world.issue_at(at).and_then(|issue| issue.pull.as_ref());
            let threads = pull.into_iter().flat_map(|pull| &pull.threads);
            let found = threads
                .flat_map(|thread| &thread.comments)
                .filter(|comment| comment.review == id)
                .map(|comment| Located::ReviewComment(at, comment.id).into());
            page::connection(field, found.collect())
        }
        _ => Ok(None),
    }
}

pub(super) fn thread(
    context: &Context<'_>,
    at: IssueRef,
    id: u64,
    field: &Field<'_>,
) -> FieldResult {
    let pull = context
        .world
        .issue_at(at)
        .and_then(|issue| issue.pull.as_ref());
    let Some(thread) = pull.and_then(|pull| pull.thread(id)) else {
        return Ok(None);
    };
    let resolved = thread.resolved_by.is_some();
    let may_resolve = || {
        let login = &context.viewer.login;
        let own = context
            .world
            .issue_at(at)
            .is_some_and(|issue| issue.author == *login);
        own || context.world.permission(login, at.repo) >= Permission::Write
    };
    match field.name() {
        "path" => some(&thread.path),
        "line" | "originalLine" => some(thread.line),
        "startLine" | "originalStartLine" => some(thread.start_line),
        "diffSide" => some(thread.side.name()),
        "isResolved" => some(resolved),
        "isOutdated" => some(thread.outdated),
        "isCollapsed" => some(resolved),
        "resolvedBy" => some(
            thread
                .resolved_by
                .as_ref()
                .map(|login| actor(context, login)),
        ),
        "subjectType" => some("LINE"),
        "pullRequest" => some(Located::PullRequest(at)),
        "viewerCanReply" => some(true),
        "viewerCanResolve" => some(!resolved && may_resolve()),
        "viewerCanUnresolve" => some(resolved && may_resolve()),
        "comments" => {
            let comments = thread.comments.iter();
            let found = comments.map(|comment| Located::ReviewComment(at, comment.id).into());
            page::connection(field, found.collect())
        }
        _ => Ok(None),
    }
}

pub(super) fn comment(
    context: &Context<'_>,
    at: IssueRef,
    id: u64,
    field: &Field<'_>,
) -> FieldResult {
    let world = context.world;
    let Some((_, thread, comment)) = world.find_review_comment(at.repo, id) else {
        return Ok(None);
    };
    let own = comment.author == context.viewer.login;
    match field.name() {
        "body" | "bodyText" => some(&comment.body),
        "bodyHTML" => some(html(&comment.body)),
        "author" => some(actor(context, &comment.author)),
        "authorAssociation" => some(world.association(&comment.author, at.repo).name()),
        "createdAt" | "draftedAt" | "publishedAt" => some(comment.created_at),
        "updatedAt" => some(comment.updated_at),
        "databaseId" => some(comment.id),
        "fullDatabaseId" => some(comment.id.to_string()),
        "path" => some(&thread.path),
        "line" | "originalLine" => some(thread.line),
        "startLine" | "originalStartLine" => some(thread.start_line),
        "diffHunk" => some(&comment.diff_hunk),
        "outdated" => some(thread.outdated),
        "state" => some("SUBMITTED"),
        "subjectType" => some("LINE"),
        "commit" | "originalCommit" => some(Located::Commit(at.repo, comment.commit.clone())),
        "pullRequest" => some(Located::PullRequest(at)),
        "pullRequestReview" => some(Located::Review(at, comment.review)),
        "replyTo" => some(comment.reply_to.map(|id| Located::ReviewComment(at, id))),
        "viewerDidAuthor" => some(own),
        "viewerCanUpdate" | "viewerCanDelete" => {
            some(own || world.permission(&context.viewer.login, at.repo) >= Permission::Write)
        }
        "viewerCanReact" => some(true),
        "reactionGroups" => some(FieldValue::List(Vec::new())),
        _ => Ok(None),
    }
}
