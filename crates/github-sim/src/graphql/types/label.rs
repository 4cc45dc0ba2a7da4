//! `Label` and `Milestone`.

use super::context::{Context, actor};
use super::issueish;
use crate::graphql::field::Field;
use crate::graphql::page;
use crate::graphql::value::{FieldResult, some};
use crate::world::{IssueFilter, MilestoneState, RepoId};

pub(super) fn label(
    context: &Context<'_>,
    repo: RepoId,
    id: u64,
    field: &Field<'_>,
) -> FieldResult {
    let Some(label) = context.world.repo(repo).and_then(|found| found.label(id)) else {
        return Ok(None);
    };
    match field.name() {
        "name" => some(&label.name),
        "color" => some(&label.color),
        "description" => some(label.description.as_ref()),
        "createdAt" => some(label.created_at),
        "updatedAt" => some(label.updated_at),
        "isDefault" => some(DEFAULT_LABELS.contains(&label.name.as_str())),
        "issues" | "pullRequests" => {
            let filter = IssueFilter {
                pulls: Some(field.name() == "pullRequests"),
                labels: vec![label.name.clone()],
                ..IssueFilter::default()
            };
            issueish::list(context, repo, filter, field)
        }
        _ => Ok(None),
    }
}

pub(super) fn milestone(
    context: &Context<'_>,
    repo: RepoId,
    number: u64,
    field: &Field<'_>,
) -> FieldResult {
    let found = context.world.repo(repo);
    let Some((repository, milestone)) =
        found.and_then(|found| Some((found, found.milestone(number)?)))
    else {
        return Ok(None);
    };
    let within = || {
        let issues = repository.issues.values();
        issues.filter(|issue| issue.milestone == Some(number))
    };
    match field.name() {
        "number" => some(milestone.number),
        "title" => some(&milestone.title),
        "description" => some(milestone.description.as_ref()),
        "state" => some(milestone.state.name()),
        "closed" => some(milestone.state == MilestoneState::Closed),
        "dueOn" => some(milestone.due_on),
        "creator" => some(actor(context, &milestone.creator)),
        "createdAt" => some(milestone.created_at),
        "updatedAt" => some(milestone.updated_at),
        "closedAt" => some(milestone.closed_at),
        "openIssueCount" => some(within().filter(|issue| issue.is_open()).count()),
        "closedIssueCount" => some(within().filter(|issue| !issue.is_open()).count()),
        "progressPercentage" => {
            let total = within().count();
            let closed = within().filter(|issue| !issue.is_open()).count();
            #[expect(clippy::cast_precision_loss, reason = "counts are small")]
            let share = if total == 0 {
                0.0
            } else {
                100.0 * closed as f64 / total as f64
            };
            some(serde_json::Value::from(share))
        }
        "issues" | "pullRequests" => {
            let filter = IssueFilter {
                pulls: Some(field.name() == "pullRequests"),
                milestone: Some(number.to_string()),
                ..IssueFilter::default()
            };
            issueish::list(context, repo, filter, field)
        }
        "viewerCanClose" | "viewerCanReopen" => some(
            context.world.permission(&context.viewer.login, repo)
                >= crate::world::Permission::Write,
        ),
        _ => Ok(None),
    }
}

const DEFAULT_LABELS: [&str; 9] = [
    "bug",
    "documentation",
    "duplicate",
    "enhancement",
    "good first issue",
    "help wanted",
    "invalid",
    "question",
    "wontfix",
];

/// Returns a connection of the milestones of a repository.
pub(super) fn milestones(context: &Context<'_>, repo: RepoId, field: &Field<'_>) -> FieldResult {
    let Some(repository) = context.world.repo(repo) else {
        return Ok(None);
    };
    let states = field.texts("states");
    let query = field.text("query").unwrap_or_default().to_lowercase();
    let mut found: Vec<_> = repository
        .milestones
        .iter()
        .filter(|m| states.is_empty() || states.iter().any(|state| state == m.state.name()))
        .filter(|m| m.title.to_lowercase().contains(&query))
        .collect();
    if let Some((key, descending)) = field.order() {
        found.sort_by(|left, right| match key {
            "DUE_DATE" => left.due_on.cmp(&right.due_on),
            "CREATED_AT" => left.created_at.cmp(&right.created_at),
            "UPDATED_AT" => left.updated_at.cmp(&right.updated_at),
            _ => left.number.cmp(&right.number),
        });
        if descending {
            found.reverse();
        }
    }
    let places = found
        .into_iter()
        .map(|m| crate::world::Located::Milestone(repo, m.number).into());
    page::connection(field, places.collect())
}

/// Returns a connection of the labels with these database ids, in the requested order.
pub(super) fn labels(
    context: &Context<'_>,
    repo: RepoId,
    ids: &[u64],
    field: &Field<'_>,
) -> FieldResult {
    let Some(repository) = context.world.repo(repo) else {
        return Ok(None);
    };
    let query = field.text("query").unwrap_or_default().to_lowercase();
    let mut found: Vec<_> = ids
        .iter()
        .filter_map(|id| repository.label(*id))
        .filter(|label| {
            let description = label.description.as_deref().unwrap_or_default();
            format!("{} {description}", label.name)
                .to_lowercase()
                .contains(&query)
        })
        .collect();
    // By default, labels are in the order in which they were created in the repository.
    let (key, descending) = field.order().unwrap_or(("CREATED_AT", false));
    found.sort_by(|left, right| match key {
        "NAME" => left.name.to_lowercase().cmp(&right.name.to_lowercase()),
        _ => (left.created_at, left.id).cmp(&(right.created_at, right.id)),
    });
    if descending {
        found.reverse();
    }
    let places = found
        .into_iter()
        .map(|label| crate::world::Located::Label(repo, label.id).into());
    page::connection(field, places.collect())
}
