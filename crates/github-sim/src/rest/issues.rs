//! Issues. As on GitHub, lists of issues contain pull requests too.

use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::page;
use super::present::View;
use super::request::RestRequest;
use super::result::{RestError, RestResult, created, no_content, ok};
use super::route::RepoAccess;
use crate::world::{
    Direction, IssueEdit, IssueFilter, IssueOrder, IssueRef, IssueState, LockReason, NewIssue,
    OrderField, Permission, RepoId, StateReason, World,
};

pub(super) fn list(world: &World, request: &RestRequest<'_>, access: RepoAccess) -> RestResult {
    let view = access.view(world)?;
    let text = |name: &str| request.param(name).map(str::to_owned);
    let since = match request.param("since") {
        None => None,
        Some(since) => Some(
            OffsetDateTime::parse(since, &Rfc3339)
                .map_err(|_| RestError::invalid("Issue", "since"))?,
        ),
    };
    let filter = IssueFilter {
        state: state_param(request)?,
        labels: request
            .param("labels")
            .map(|labels| {
                labels
                    .split(',')
                    .map(|label| label.trim().to_owned())
                    .collect()
            })
            .unwrap_or_default(),
        author: text("creator"),
        assignee: text("assignee"),
        milestone: text("milestone"),
        mentioned: text("mentioned"),
        since,
        ..IssueFilter::default()
    };
    let order = IssueOrder {
        field: match request.param("sort") {
            Some("updated") => OrderField::Updated,
            Some("comments") => OrderField::Comments,
            _ => OrderField::Created,
        },
        direction: match request.param("direction") {
            Some("asc") => Direction::Ascending,
            _ => Direction::Descending,
        },
    };
    let found = world.list_issues(access.repo, &filter, order);
    let found = found
        .into_iter()
        .filter_map(|at| world.issue_at(at))
        .collect();
    page::list(request, found, |issue| view.issue(issue))
}

pub(super) fn one(world: &World, at: IssueRef) -> RestResult {
    ok(&present(world, at)?)
}

pub(super) fn create(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
) -> RestResult {
    let title = request.required_text("Issue", "title")?.to_owned();
    let names = request.texts("Issue", "labels")?.unwrap_or_default();
    let new = NewIssue {
        title,
        body: request
            .text("Issue", "body")?
            .unwrap_or_default()
            .to_owned(),
        assignees: request.texts("Issue", "assignees")?.unwrap_or_default(),
        milestone: milestone(request)?.flatten(),
        ..NewIssue::default()
    };
    // Check the permission before new labels are created.
    world.authorize(request.viewer, access.repo, Permission::Read, "CreateIssue")?;
    let labels = labels(world, request, access.repo, &names)?;
    let at = world.create_issue(request.viewer, access.repo, NewIssue { labels, ..new })?;
    created(&present(world, at)?)
}

pub(super) fn update(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let edit = edit(world, request, at)?;
    world.edit_issue(request.viewer, at, edit)?;
    one(world, at)
}

pub(super) fn lock(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let reason = match request.text("Issue", "lock_reason")? {
        None => None,
        Some(text) => {
            let name = text.replace([' ', '-'], "_");
            Some(
                LockReason::parse(&name)
                    .ok_or_else(|| RestError::invalid("Issue", "lock_reason"))?,
            )
        }
    };
    world.lock_issue(request.viewer, at, reason)?;
    no_content()
}

pub(super) fn unlock(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    world.unlock_issue(request.viewer, at)?;
    no_content()
}

/// Reads the `state` parameter of a list; open by default, `None` for all.
pub(super) fn state_param(request: &RestRequest<'_>) -> Result<Option<IssueState>, RestError> {
    match request.param("state").unwrap_or("open") {
        "all" => Ok(None),
        name => IssueState::parse(name)
            .map(Some)
            .ok_or_else(|| RestError::invalid("Issue", "state")),
    }
}

/// Reads the changes in the body of a `PATCH`, for issues and for the issue part of pull requests.
pub(super) fn edit(
    world: &mut World,
    request: &RestRequest<'_>,
    at: IssueRef,
) -> Result<IssueEdit, RestError> {
    let state = match request.text("Issue", "state")? {
        None => None,
        Some(name) => {
            Some(IssueState::parse(name).ok_or_else(|| RestError::invalid("Issue", "state"))?)
        }
    };
    let reason = match request.text("Issue", "state_reason")? {
        None => None,
        Some(name) => Some(
            StateReason::parse(name).ok_or_else(|| RestError::invalid("Issue", "state_reason"))?,
        ),
    };
    // Closing a closed issue keeps its reason, unless another is given.
    let present = world.issue_at(at).filter(|issue| !issue.is_open());
    let mut edit = IssueEdit {
        title: request.text("Issue", "title")?.map(str::to_owned),
        body: body(request)?,
        assignees: request.texts("Issue", "assignees")?,
        milestone: milestone(request)?,
        state,
        state_reason: reason.or_else(|| present.and_then(|issue| issue.state_reason)),
        ..IssueEdit::default()
    };
    if let Some(names) = request.texts("Issue", "labels")? {
        edit.labels = Some(labels(world, request, at.repo, &names)?);
    }
    Ok(edit)
}

pub(super) fn present(world: &World, at: IssueRef) -> Result<Value, RestError> {
    let view = View::new(world, at.repo).ok_or(RestError::NotFound)?;
    let issue = world.issue_at(at).ok_or(RestError::NotFound)?;
    Ok(view.issue(issue))
}

/// Reads the new body; an explicit null empties it.
fn body(request: &RestRequest<'_>) -> Result<Option<String>, RestError> {
    match request.body.get("body") {
        Some(Value::Null) => Ok(Some(String::new())),
        _ => Ok(request.text("Issue", "body")?.map(str::to_owned)),
    }
}

/// Reads the new milestone: `None` if absent, `Some(None)` to remove it.
fn milestone(request: &RestRequest<'_>) -> Result<Option<Option<u64>>, RestError> {
    match request.body.get("milestone") {
        None => Ok(None),
        Some(Value::Null) => Ok(Some(None)),
        Some(value) => {
            // Some clients send the number as text.
            let number = value.as_u64().or_else(|| value.as_str()?.parse().ok());
            number
                .map(|number| Some(Some(number)))
                .ok_or_else(|| RestError::invalid("Issue", "milestone"))
        }
    }
}

/// Returns the ids of the named labels; empty if the viewer can_label not label, because GitHub ignores labels then.
fn labels(
    world: &mut World,
    request: &RestRequest<'_>,
    repo: RepoId,
    names: &[String],
) -> Result<Vec<u64>, RestError> {
    let can_label = world.permission(&request.viewer.login, repo) >= Permission::Triage;
    if names.is_empty() || !can_label {
        return Ok(Vec::new());
    }
    Ok(world.ensure_labels(request.viewer, repo, names)?)
}
