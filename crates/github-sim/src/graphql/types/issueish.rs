//! The fields that issues and pull requests share.

use super::context::{Context, actor, actors, html};
use super::url::resource_path;
use super::{label, reaction};
use crate::graphql::field::Field;
use crate::graphql::page;
use crate::graphql::value::{FieldResult, FieldValue, some};
use crate::world::{
    Direction, Issue, IssueFilter, IssueOrder, IssueRef, Located, OrderField, Permission, RepoId,
};

pub(super) fn resolve(
    context: &Context<'_>,
    at: IssueRef,
    issue: &Issue,
    field: &Field<'_>,
) -> FieldResult {
    let world = context.world;
    let permission = world.permission(&context.viewer.login, at.repo);
    let own = issue.author == context.viewer.login;
    match field.name() {
        "number" => some(issue.number),
        "title" => some(&issue.title),
        "titleHTML" => some(issue.title.replace('&', "&amp;").replace('<', "&lt;")),
        "body" | "bodyText" => some(&issue.body),
        "bodyHTML" => some(html(&issue.body)),
        "bodyUrl" => some(format!("{}#issue-{}", address(context, at), issue.id)),
        "bodyResourcePath" => some(format!(
            "{}#issue-{}",
            resource_path(&address(context, at)),
            issue.id
        )),
        "author" => some(actor(context, &issue.author)),
        "authorAssociation" => some(world.association(&issue.author, at.repo).name()),
        "createdAt" | "publishedAt" => some(issue.created_at),
        "updatedAt" => some(issue.updated_at),
        "lastEditedAt" => some(issue.last_edited_at),
        "includesCreatedEdit" => some(issue.last_edited_at.is_some()),
        "closed" => some(!issue.is_open()),
        "closedAt" => some(issue.closed_at),
        "locked" => some(issue.locked),
        "activeLockReason" => some(issue.lock_reason.map(|reason| reason.name())),
        "milestone" => some(issue.milestone.map(|n| Located::Milestone(at.repo, n))),
        "labels" => label::labels(context, at.repo, &issue.labels, field),
        "assignees" | "assignedActors" => {
            page::connection(field, actors(context, &issue.assignees))
        }
        "suggestedActors" => {
            let query = field.text("query").unwrap_or_default().to_lowercase();
            let users = world.assignable(at.repo).into_iter();
            let found = users.filter(|user| user.login.to_lowercase().contains(&query));
            page::connection(
                field,
                found
                    .map(|user| FieldValue::Node(Located::User(user.login.clone())))
                    .collect(),
            )
        }
        "participants" => {
            let mut logins = vec![&issue.author];
            for login in issue
                .assignees
                .iter()
                .chain(issue.comments.iter().map(|c| &c.author))
            {
                if !logins.contains(&login) {
                    logins.push(login);
                }
            }
            page::connection(field, actors(context, logins))
        }
        "comments" => {
            let mut comments: Vec<_> = issue.comments.iter().collect();
            if let Some((_, true)) = field.order() {
                comments.reverse();
            }
            let found = comments
                .into_iter()
                .map(|c| Located::Comment(at, c.id).into());
            page::connection(field, found.collect())
        }
        "viewerDidAuthor" => some(own),
        "viewerCanReact" | "viewerCanSubscribe" => some(true),
        "viewerCanUpdate" | "viewerCanClose" | "viewerCanReopen" => {
            some(own || permission >= Permission::Triage)
        }
        "viewerCanLabel" | "viewerCanAssign" => some(permission >= Permission::Triage),
        "viewerCanDelete" => some(permission >= Permission::Admin),
        _ => reaction::resolve(context, at.repo, &issue.reactions, field),
    }
}

/// Returns a connection of the matching issues, or of pull requests if `filter.pulls` is true.
pub(super) fn list(
    context: &Context<'_>,
    repo: RepoId,
    filter: IssueFilter,
    field: &Field<'_>,
) -> FieldResult {
    let pulls = filter.pulls == Some(true);
    let mut filter = filter;
    if filter.any_label.is_empty() {
        filter.any_label = field.texts("labels");
    }
    let states = field.texts("states");
    if pulls {
        let named = states
            .iter()
            .filter_map(|state| crate::world::PullState::parse(state));
        filter.pull_states = named.collect();
        filter.base = field.text("baseRefName").map(str::to_owned);
        filter.head = field.text("headRefName").map(str::to_owned);
    } else if let [state] = states.as_slice() {
        filter.state = crate::world::IssueState::parse(state);
    }
    let (key, descending) = field.order().unwrap_or(("CREATED_AT", false));
    let order = IssueOrder {
        field: match key {
            "UPDATED_AT" => OrderField::Updated,
            "COMMENTS" => OrderField::Comments,
            _ => OrderField::Created,
        },
        direction: if descending {
            Direction::Descending
        } else {
            Direction::Ascending
        },
    };
    let found = context.world.list_issues(repo, &filter, order);
    let places = found.into_iter().map(|at| {
        FieldValue::Node(if pulls {
            Located::PullRequest(at)
        } else {
            Located::Issue(at)
        })
    });
    page::connection(field, places.collect())
}

pub(super) fn address(context: &Context<'_>, at: IssueRef) -> String {
    let place = match context.world.issue_at(at) {
        Some(issue) if issue.is_pull() => Located::PullRequest(at),
        _ => Located::Issue(at),
    };
    super::url(context, &place).unwrap_or_default()
}
