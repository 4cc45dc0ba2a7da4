//! `Issue`.

use super::context::Context;
use super::issueish;
use crate::graphql::field::Field;
use crate::graphql::page;
use crate::graphql::value::{FieldResult, FieldValue, record, some};
use crate::world::{IssueRef, Located};

pub(super) fn resolve(context: &Context<'_>, at: IssueRef, field: &Field<'_>) -> FieldResult {
    let world = context.world;
    let Some(issue) = world.issue_at(at) else {
        return Ok(None);
    };
    let issues = |places: Vec<IssueRef>| -> Vec<FieldValue> {
        let places = places.into_iter();
        places
            .map(|place| FieldValue::Node(Located::Issue(place)))
            .collect()
    };
    let open = |places: &[IssueRef]| {
        let still = |place: &&IssueRef| world.issue_at(**place).is_some_and(|i| i.is_open());
        places.iter().filter(still).count()
    };
    match field.name() {
        "state" => some(issue.state.name()),
        // Duplicates are reported even without the deprecated argument `enableDuplicate`.
        "stateReason" => some(issue.state_reason.map(|reason| reason.name())),
        "databaseId" => some(issue.id),
        "fullDatabaseId" => some(issue.id.to_string()),
        "isPinned" => some(issue.pinned),
        "parent" => some(issue.parent.map(Located::Issue)),
        "subIssues" => page::connection(field, issues(world.sub_issues(at))),
        "subIssuesSummary" => {
            let subs = world.sub_issues(at);
            let done = subs.len() - open(&subs);
            let percent = (100 * done).checked_div(subs.len()).unwrap_or(0);
            some(
                record("SubIssuesSummary")
                    .with("total", subs.len())
                    .with("completed", done)
                    .with("percentCompleted", percent),
            )
        }
        "blockedBy" => page::connection(field, issues(issue.blocked_by.clone())),
        "blocking" => page::connection(field, issues(world.blocking(at))),
        "issueDependenciesSummary" => {
            let blocking = world.blocking(at);
            some(
                record("IssueDependenciesSummary")
                    .with("blockedBy", open(&issue.blocked_by))
                    .with("blocking", open(&blocking))
                    .with("totalBlockedBy", issue.blocked_by.len())
                    .with("totalBlocking", blocking.len()),
            )
        }
        "issueType" => {
            let owner = world.repo(at.repo).map(|repo| repo.owner.clone());
            some(match (owner, issue.issue_type) {
                (Some(owner), Some(id)) => FieldValue::Node(Located::IssueType(owner, id)),
                _ => FieldValue::Null,
            })
        }
        "closedByPullRequestsReferences" => {
            let pulls = world
                .repo(at.repo)
                .into_iter()
                .flat_map(|repo| repo.issues.values());
            let closing = pulls
                .filter(|pull| pull.is_pull())
                .filter(|pull| pull.is_open() || field.flag("includeClosedPrs"))
                .map(|pull| IssueRef {
                    repo: at.repo,
                    number: pull.number,
                })
                .filter(|pull| world.closing_references(*pull).contains(&at))
                .map(|pull| FieldValue::Node(Located::PullRequest(pull)));
            page::connection(field, closing.collect())
        }
        _ => issueish::resolve(context, at, issue, field),
    }
}
