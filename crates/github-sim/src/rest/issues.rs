//! Issues. As on GitHub, listings here hold pull requests too.

use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::page;
use super::present::View;
use super::reply::{Failure, Reply, created, no_content, ok};
use super::request::RestRequest;
use super::route::Place;
use crate::world::{
    Direction, IssueEdit, IssueFilter, IssueOrder, IssueRef, IssueState, LockReason, NewIssue,
    OrderField, Permission, RepoId, StateReason, World,
};

pub(super) fn list(world: &World, request: &RestRequest<'_>, place: Place) -> Reply {
    let view = place.view(world)?;
    let text = |name: &str| request.param(name).map(str::to_owned);
    let since = match request.param("since") {
        None => None,
        Some(since) => Some(
            OffsetDateTime::parse(since, &Rfc3339)
                .map_err(|_| Failure::invalid("Issue", "since"))?,
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
    let found = world.list_issues(place.repo, &filter, order);
    let found = found
        .into_iter()
        .filter_map(|at| world.issue_at(at))
        .collect();
    page::list(request, found, |issue| view.issue(issue))
}

pub(super) fn one(world: &World, at: IssueRef) -> Reply {
    ok(&present(world, at)?)
}

pub(super) fn create(world: &mut World, request: &RestRequest<'_>, place: Place) -> Reply {
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
    // Refuse what will be refused before labels come into being.
    world.authorize(request.viewer, place.repo, Permission::Read, "CreateIssue")?;
    let labels = labels(world, request, place.repo, &names)?;
    let at = world.create_issue(request.viewer, place.repo, NewIssue { labels, ..new })?;
    created(&present(world, at)?)
}

pub(super) fn update(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    let edit = edit(world, request, at)?;
    world.edit_issue(request.viewer, at, edit)?;
    one(world, at)
}

pub(super) fn lock(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    let reason = match request.text("Issue", "lock_reason")? {
        None => None,
        Some(text) => {
            let name = text.replace([' ', '-'], "_");
            Some(LockReason::parse(&name).ok_or_else(|| Failure::invalid("Issue", "lock_reason"))?)
        }
    };
    world.lock_issue(request.viewer, at, reason)?;
    no_content()
}

pub(super) fn unlock(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    world.unlock_issue(request.viewer, at)?;
    no_content()
}

/// The `state` of a listing: open unless asked otherwise.
pub(super) fn state_param(request: &RestRequest<'_>) -> Result<Option<IssueState>, Failure> {
    match request.param("state").unwrap_or("open") {
        "all" => Ok(None),
        name => IssueState::parse(name)
            .map(Some)
            .ok_or_else(|| Failure::invalid("Issue", "state")),
    }
}

/// What the body of a `PATCH` changes, for issues and for the issue half of pull requests.
pub(super) fn edit(
    world: &mut World,
    request: &RestRequest<'_>,
    at: IssueRef,
) -> Result<IssueEdit, Failure> {
    let state = match request.text("Issue", "state")? {
        None => None,
        Some(name) => {
            Some(IssueState::parse(name).ok_or_else(|| Failure::invalid("Issue", "state"))?)
        }
    };
    let reason = match request.text("Issue", "state_reason")? {
        None => None,
        Some(name) => Some(
            StateReason::parse(name).ok_or_else(|| Failure::invalid("Issue", "state_reason"))?,
        ),
    };
    // Closing what is closed keeps its reason unless another is given.
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

pub(super) fn present(world: &World, at: IssueRef) -> Result<Value, Failure> {
    let view = View::new(world, at.repo).ok_or(Failure::NotFound)?;
    let issue = world.issue_at(at).ok_or(Failure::NotFound)?;
    Ok(view.issue(issue))
}

/// An explicit null empties the body.
fn body(request: &RestRequest<'_>) -> Result<Option<String>, Failure> {
    match request.body.get("body") {
        Some(Value::Null) => Ok(Some(String::new())),
        _ => Ok(request.text("Issue", "body")?.map(str::to_owned)),
    }
}

/// Absent: leave it; null: remove it.
fn milestone(request: &RestRequest<'_>) -> Result<Option<Option<u64>>, Failure> {
    match request.body.get("milestone") {
        None => Ok(None),
        Some(Value::Null) => Ok(Some(None)),
        Some(value) => {
            // Some clients send the number as text.
            let number = value.as_u64().or_else(|| value.as_str()?.parse().ok());
            number
                .map(|number| Some(Some(number)))
                .ok_or_else(|| Failure::invalid("Issue", "milestone"))
        }
    }
}

/// Ids of the named labels. Those who may not label are ignored rather than refused, as on GitHub.
fn labels(
    world: &mut World,
    request: &RestRequest<'_>,
    repo: RepoId,
    names: &[String],
) -> Result<Vec<u64>, Failure> {
    let may = world.permission(&request.viewer.login, repo) >= Permission::Triage;
    if names.is_empty() || !may {
        return Ok(Vec::new());
    }
    Ok(world.ensure_labels(request.viewer, repo, names)?)
}
